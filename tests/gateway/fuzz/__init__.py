"""Strange requests to a running gateway, made by Schemathesis from the API document.

    python -m tests.gateway.fuzz

Each is judged: no defect of a server, no hang, an answer as the document says, and nothing changed by a refusal.
"""
