"""Where the time of slow calls goes: probes inside the processes of the product, and the table that is made of them."""
