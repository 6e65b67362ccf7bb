"""The files of deploy/ fit together and to the code: names, ports, secrets, times, and what a pod may do."""

import re
from typing import Any

import pytest

from alhambra_api.v1 import service_pb2
from alhambra_gateway import limits as gateway_limits
from alhambra_gateway.config import Settings as GatewaySettings
from alhambra_service import limits as service_limits
from alhambra_service.config import Settings as ServiceSettings

from .files import (
    DEPLOY,
    KUBERNETES,
    KUSTOMIZATIONS,
    all_objects,
    backups,
    bots,
    composed,
    container,
    document,
    flags,
    image_instructions,
    pod_templates,
    pods,
    started,
    the_object,
)

BASE = document(KUBERNETES / "base" / "kustomization.yaml")
OURS = ("service", "gateway")
STOPPING = {
    "service": service_limits.DRAIN_SECONDS + service_limits.GRACE_SECONDS + service_limits.WORKER_STOP_SECONDS,
    "gateway": gateway_limits.DRAIN_SECONDS + gateway_limits.GRACE_SECONDS + gateway_limits.CHILD_STOP_SECONDS,
}
each_pod = pytest.mark.parametrize(("name", "spec"), [*pods()], ids=[name for name, _ in pods()])
each_of_ours = pytest.mark.parametrize("name", OURS)


def ports_of(pod: str) -> dict[str, int]:
    """The ports of a pod's container, by name."""
    return {port["name"]: port["containerPort"] for port in container(pod)["ports"]}


def port(address: str) -> int:
    return int(address.rpartition(":")[2])


# -- Commands -------------------------------------------------------------------------------------------------------


@each_of_ours
def test_image_compose_and_kubernetes_start_the_same_process(name: str) -> None:
    found = [flags(words) for where, words in started().items() if where.endswith(name)]
    image, compose, kubernetes = found
    for flag in ("--listen", "--metrics"):
        assert image[flag] == compose[flag] == kubernetes[flag]
    assert image.keys() <= compose.keys()
    assert image.keys() <= kubernetes.keys()


def test_compose_and_kubernetes_start_the_same_store() -> None:
    assert composed("valkey")["command"] == container("alhambra-valkey")["args"]
    assert composed("valkey")["image"] == container("alhambra-valkey")["image"]


@pytest.mark.parametrize("where", started())
def test_every_flag_is_a_setting(where: str) -> None:
    words = started()[where]
    settings = ServiceSettings if words[0] == "serve" else GatewaySettings
    known = {"--" + name.replace("_", "-") for name in settings.__dataclass_fields__}
    assert flags(words).keys() <= known


@pytest.mark.parametrize("where", bots())
def test_bots_reach_the_services_as_the_gateway_does(where: str) -> None:
    told, kind = flags(bots()[where]), where.partition(":")[0]
    assert told.keys() == {"--service", "--key"}
    (gateway,) = (flags(words) for place, words in started().items() if place == f"{kind}: gateway")
    assert told["--service"] == gateway["--service"]
    assert composed("bots")["image"] == composed("service")["image"]
    assert set(composed("bots")["networks"]) <= set(composed("service")["networks"])


def test_every_variable_is_a_setting() -> None:
    known = {
        settings.variable(name)
        for settings in (ServiceSettings, GatewaySettings)
        for name in settings.__dataclass_fields__
    }
    literals = [
        literal
        for path in KUSTOMIZATIONS
        for generator in document(path).get("configMapGenerator", ())
        for literal in generator["literals"]
    ]
    named = {literal.partition("=")[0] for literal in literals}
    named |= {variable["name"] for name in OURS for variable in container(f"alhambra-{name}").get("env", ())}
    assert named <= known


# -- Ports and names ------------------------------------------------------------------------------------------------


@each_of_ours
def test_ports_are_those_that_the_process_listens_on(name: str) -> None:
    told = flags(tuple(container(f"alhambra-{name}")["args"]))
    assert set(ports_of(f"alhambra-{name}").values()) == {port(told["--listen"]), port(told["--metrics"])}
    (exposed,) = (rest for word, rest in image_instructions(name) if word == "EXPOSE")
    assert {int(each) for each in exposed.split()} == set(ports_of(f"alhambra-{name}").values())


def test_the_gateway_looks_for_the_services_by_their_name_in_dns() -> None:
    service = the_object("Service", "alhambra-service")
    assert service["spec"]["clusterIP"] == "None", "only a headless one has all addresses in DNS"
    told = flags(tuple(container("alhambra-gateway")["args"]))
    assert told["--service"] == f"dns:///alhambra-service:{service['spec']['ports'][0]['port']}"
    assert flags(tuple(composed("gateway")["command"]))["--service"] == "dns:///service:50051"
    assert "networks" in composed("service")
    assert set(composed("service")["networks"]) & set(composed("gateway")["networks"])


def test_prometheus_asks_at_the_ports_of_the_metrics() -> None:
    for job in document(DEPLOY / "prometheus" / "prometheus.yml")["scrape_configs"]:
        (lookup,) = job["dns_sd_configs"]
        (name,) = lookup["names"]
        told = flags(tuple(composed(name)["command"]))
        assert lookup["port"] == port(told["--webhook-metrics" if name == "webhooks" else "--metrics"])
        assert set(composed(name)["networks"]) & set(composed("prometheus")["networks"])
        annotations = the_object("Deployment", f"alhambra-{name}")["spec"]["template"]["metadata"]["annotations"]
        assert annotations["prometheus.io/port"] == str(lookup["port"])


def test_every_selector_finds_pods() -> None:
    labels = [template["metadata"]["labels"] for _, template in pod_templates()]
    added = {key: value for pairs in BASE["labels"] for key, value in pairs["pairs"].items()}
    assert all(pairs["includeTemplates"] for pairs in BASE["labels"])
    selectors = [found["spec"]["selector"] for found in all_objects("Service")]
    for kind in ("Deployment", "StatefulSet", "PodDisruptionBudget"):
        selectors += [found["spec"]["selector"]["matchLabels"] for found in all_objects(kind)]
    policies = [found["spec"] for found in all_objects("NetworkPolicy")]
    selectors += [policy["podSelector"].get("matchLabels", {}) for policy in policies]
    for policy in policies:
        for rule in (*policy.get("ingress", ()), *policy.get("egress", ())):
            peers = (*rule.get("from", ()), *rule.get("to", ()))
            selectors += [peer["podSelector"]["matchLabels"] for peer in peers if "podSelector" in peer]
    for selector in selectors:
        assert any(selector.items() <= {**own, **added}.items() for own in labels), selector


def test_services_and_ingress_point_to_ports_that_exist() -> None:
    for service in all_objects("Service"):
        name = service["metadata"]["name"]
        assert {each["targetPort"] for each in service["spec"]["ports"]} <= ports_of(name).keys()
    for ingress in all_objects("Ingress"):
        for rule in ingress["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                target = path["backend"]["service"]
                named = [each["name"] for each in the_object("Service", target["name"])["spec"]["ports"]]
                assert target["port"]["name"] in named


def test_network_policies_open_exactly_the_ports_of_the_pods() -> None:
    for policy in all_objects("NetworkPolicy"):
        name, rules = policy["metadata"]["name"], policy["spec"].get("ingress", ())
        if rules:
            assert {each["port"] for rule in rules for each in rule["ports"]} == set(ports_of(name).values())


def test_without_a_policy_of_its_own_a_pod_speaks_to_nobody() -> None:
    nobody = the_object("NetworkPolicy", "alhambra-nobody")["spec"]
    assert nobody == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_what_is_scaled_and_protected_exists_and_can_lose_a_pod() -> None:
    for scaler in all_objects("HorizontalPodAutoscaler"):
        target = scaler["spec"]["scaleTargetRef"]
        deployment = the_object(target["kind"], target["name"])
        assert "replicas" not in deployment["spec"], "two would decide how many there are"
        assert scaler["spec"]["minReplicas"] >= 2
        assert the_object("PodDisruptionBudget", target["name"])["spec"]["maxUnavailable"] == 1


# -- Probes and stopping --------------------------------------------------------------------------------------------


def test_probes_ask_for_what_there_is() -> None:
    services = {service.full_name for service in service_pb2.DESCRIPTOR.services_by_name.values()} | {""}
    for name in OURS:
        found = container(f"alhambra-{name}")
        for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
            probe: dict[str, Any] = found[kind]
            if "grpc" in probe:
                assert probe["grpc"].get("service", "") in services
                assert probe["grpc"]["port"] == ports_of(f"alhambra-{name}")["grpc"]
            else:
                assert probe["httpGet"]["path"] == ("/readyz" if kind == "readinessProbe" else "/healthz")
                assert probe["httpGet"]["port"] in ports_of(f"alhambra-{name}")


def test_a_service_without_store_is_not_ready_but_alive() -> None:
    found = container("alhambra-service")
    assert "service" not in found["readinessProbe"]["grpc"]  # the process as a whole needs the store
    assert found["livenessProbe"]["grpc"]["service"] == "alhambra_api.v1.CatalogService"  # the catalogue does not


@each_of_ours
def test_nobody_is_ended_before_stopping_in_good_order_is_over(name: str) -> None:
    needed = STOPPING[name]
    assert dict(pods())[f"alhambra-{name}"]["terminationGracePeriodSeconds"] >= needed
    assert int(composed(name)["stop_grace_period"].removesuffix("s")) >= needed


# -- Secrets --------------------------------------------------------------------------------------------------------


def drawn() -> set[str]:
    """The files that secrets.sh makes."""
    return set(re.findall(r'>+"\$folder/([a-z.]+)"', (DEPLOY / "secrets.sh").read_text(encoding="utf-8")))


def test_every_secret_of_compose_is_drawn() -> None:
    secrets = document(DEPLOY / "compose.yaml")["secrets"]
    assert {name: found["file"] for name, found in secrets.items()} == {name: f"secrets/{name}" for name in secrets}
    assert secrets.keys() <= drawn()
    assert composed("service")["env_file"] == "secrets/store.env"
    assert "store.env" in drawn()


def test_every_secret_in_an_argument_is_mounted() -> None:
    for name in (*OURS, "bots", "valkey"):
        used = set(re.findall(r"/run/secrets/(\S+)", " ".join(composed(name)["command"])))
        assert used == set(composed(name)["secrets"])


def test_every_secret_of_kubernetes_is_a_reference_that_its_page_tells_how_to_make() -> None:
    assert [*all_objects("Secret")] == []
    told = (KUBERNETES / "overlays" / "trial" / "kustomization.yaml").read_text(encoding="utf-8")
    made = dict(re.findall(r"create secret generic (\S+) (.*)", told))
    for name, spec in pods():
        mounted = [volume["secret"]["secretName"] for volume in spec["volumes"] if "secret" in volume]
        used = set(re.findall(r"/run/secrets/(?:alhambra/)?(\S+)", " ".join(container(name)["args"])))
        assert {file for one in mounted for file in re.findall(r"--from-file=(\S+)", made[one])} == used
        assert used <= drawn()
    for name in ("service", "backup"):
        (store,) = (variable["valueFrom"]["secretKeyRef"] for variable in container(f"alhambra-{name}")["env"])
        assert made[store["name"]] == f"--from-file={store['key']}=store.url"


# -- The store ------------------------------------------------------------------------------------------------------


def test_the_memory_of_the_store_is_bounded_by_half_of_what_its_container_may_take() -> None:
    units = {"gb": 1 << 30, "g": 1 << 30, "Gi": 1 << 30}

    def size(text: str) -> int:
        number, unit = re.fullmatch(r"(\d+)(\w+)", text).groups()  # type: ignore[union-attr]
        return int(number) * units[unit]

    words = composed("valkey")["command"]
    bound = size(words[words.index("--maxmemory") + 1])
    assert words[words.index("--maxmemory-policy") + 1] == "noeviction"
    assert 2 * bound <= size(composed("valkey")["deploy"]["resources"]["limits"]["memory"])
    assert 2 * bound <= size(container("alhambra-valkey")["resources"]["limits"]["memory"])
    assert limits_of_a_key() <= bound


def limits_of_a_key() -> int:
    """What one platform may fill must fit into the store."""
    return service_limits.KEY_STORED_BYTES


def test_backups_are_kept_on_a_volume_of_their_own_that_the_user_of_the_image_can_write() -> None:
    assert composed("backup")["image"] == composed("service")["image"]
    assert composed("backup")["env_file"] == composed("service")["env_file"]
    assert composed("backup")["volumes"] == ["backups:/backups"]
    (user,) = (rest for word, rest in image_instructions("service") if word == "USER")
    owner, group = user.split(":")
    assert ("RUN", f"install -d -m 0700 -o {owner} -g {group} /backups") in image_instructions("service")
    assert {"name": "backups", "mountPath": "/backups"} in container("alhambra-backup")["volumeMounts"]


def test_both_ways_to_make_backups_keep_a_week() -> None:
    compose, kubernetes = (flags(("backup", *words[2:])) for words in backups().values())
    assert compose == {"--every": "6h", "--keep": "28"}
    assert kubernetes == {"--keep": "28"}
    assert the_object("CronJob", "alhambra-backup")["spec"]["schedule"].split()[1] == "*/6"


# -- What a container may do ----------------------------------------------------------------------------------------


@each_pod
def test_a_pod_is_restricted(name: str, spec: dict[str, Any]) -> None:
    assert spec["automountServiceAccountToken"] is False
    assert spec["enableServiceLinks"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] > 0
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for each in spec["containers"]:
        context = each["securityContext"]
        assert context["allowPrivilegeEscalation"] is False
        assert context["readOnlyRootFilesystem"] is True
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert each["resources"]["requests"].keys() == {"cpu", "memory"}
        assert "memory" in each["resources"]["limits"], name


def test_a_pod_of_ours_runs_as_the_user_of_its_image() -> None:
    for name, image in (*zip(OURS, OURS, strict=True), ("backup", "service"), ("bots", "service")):
        (user,) = (rest for word, rest in image_instructions(image) if word == "USER")
        context = dict(pods())[f"alhambra-{name}"]["securityContext"]
        assert user == f"{context['runAsUser']}:{context['runAsGroup']}"


def test_compose_opens_ports_to_this_machine_only() -> None:
    services = document(DEPLOY / "compose.yaml")["services"]
    opened = [each for found in services.values() for each in found.get("ports", ())]
    assert opened == ["127.0.0.1:8080:8080", "127.0.0.1:3000:3000"]
    for name, found in services.items():
        assert found["read_only"] is True, name
        assert found["cap_drop"] == ["ALL"], name


def test_two_services_run_behind_one_gateway() -> None:
    assert composed("service")["deploy"] == {"replicas": 2}
    assert flags(tuple(composed("service")["command"]))["--workers"] == "1"  # an address in DNS is one process
    assert "--pin" not in str(started())
