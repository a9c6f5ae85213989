print("refresh-probe")
