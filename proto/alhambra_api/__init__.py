"""The contract: what clients and servers say to each other, over gRPC and as JSON over HTTP.

The `.proto` files in `v1/` are the contract and its documentation; the Python code beside them is compiled from them by
`make proto`. `contract.py` reads what they say about themselves, `values.py` turns plain data into values and back.
"""
