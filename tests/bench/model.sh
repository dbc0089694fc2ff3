#!/bin/sh
# model.sh PROGRAM SOURCE - the model's part of make bench: bench_model.py where there
# is a Python with NumPy, else PROGRAM alone, without anything to compare it with. One
# thread each, since the model has one.
set -eu
program=$1
source=$2

echo "a language model, one change of its text at n = 100 (lines of JSON)"
for python in python3 /usr/bin/python3; do
	if "$python" -c 'import numpy' >/dev/null 2>&1; then
		OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 exec "$python" "$source/tests/bench/bench_model.py" "$program" \
			"$source/assets/model/koen.safetensors"
	fi
done
exec "$program"
