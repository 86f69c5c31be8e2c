import base64, sys
from ofage_webhook import is_from_ofage
for line in sys.stdin:
    body, signature, secrets = line.rstrip("\n").split(" ")
    decoded = [base64.b64decode(secret).decode() for secret in secrets.split(",")]
    try:
        print(str(is_from_ofage(base64.b64decode(body), base64.b64decode(signature).decode(), decoded)).lower())
    except Exception:
        print("error")
