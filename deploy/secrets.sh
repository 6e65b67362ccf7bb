#!/bin/sh
# Draws every secret that compose.yaml and kubernetes/ name, into a folder that only its owner can open.
#
#     sh deploy/secrets.sh [FOLDER]          deploy/secrets if none is given; the folder must not exist yet
#
#     keys.toml      digests of the API keys below, for the service
#     gateway.key    the gateway's own API key, which it shows to the service
#     bots.key       the API key of the process for bots; it plays in the tenant of platform.key
#     platform.key   an API key that may do everything, for whoever creates games; keep it for yourself
#     service.key    what tokens of seats are made from, the same for all services
#     valkey.acl     the users of the store; holds a digest only
#     store.env      the address of the store with the password in it, as a variable
#     store.url      the same address alone
#     grafana.key    the password of Grafana's user admin
#
# The files can be read by everybody, because a container reads them under another user; the folder cannot be entered.
# Needs the command `alhambra` (or ALHAMBRA=path of it). Run by tests/deploy/.
set -eu
umask 077

folder=${1:-deploy/secrets}
alhambra=${ALHAMBRA:-alhambra}
store=${STORE:-valkey:6379}

mkdir "$folder" || { echo "Secrets that exist are not replaced: remove $folder first." >&2; exit 1; }

secret() { head -c 33 /dev/urandom | base64 | tr '+/' '-_' | tr -d '\n'; }
new_key() { # name, options: the digest goes to keys.toml, the key to the standard output
    { "$alhambra" new-key "$@" 3>&1 >>"$folder/keys.toml" 2>&3; } | sed -n 's/^.* \(alh_key_[^ ]*\)$/\1/p'
}

new_key gateway --gateway >"$folder/gateway.key"
new_key platform >"$folder/platform.key"
new_key bots --scope bots --tenant platform >"$folder/bots.key"
test -s "$folder/gateway.key" && test -s "$folder/platform.key" && test -s "$folder/bots.key"
secret >"$folder/service.key"
secret >"$folder/grafana.key"

password=$(secret)
digest=$(printf %s "$password" | sha256sum | cut -d ' ' -f 1)
cat >"$folder/valkey.acl" <<ACL
user default on nopass -@all +ping
user alhambra on #$digest ~alh:* &__redis__:invalidate +@all -@dangerous +info +config|get +cluster|info +cluster|slots +cluster|shards
ACL
printf 'redis://alhambra:%s@%s' "$password" "$store" >"$folder/store.url"
printf 'ALHAMBRA_STORE=redis://alhambra:%s@%s\n' "$password" "$store" >"$folder/store.env"

chmod 0444 "$folder"/*
echo "Secrets are in $folder."
