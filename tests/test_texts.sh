#!/bin/sh
# test_texts.sh - every catalogue is sound, and in those that are to be complete every
# text for people in the sources stands with a translation.
set -eu
source=${QKV_SOURCE:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v xgettext >/dev/null || { echo "xgettext is missing"; exit 1; }

mkdir "$work/tree"
cp -R "$source/core" "$source/tui" "$source/build-aux" "$work/tree"
chmod -R u+w "$work/tree"	# what was copied may be read-only, as in make distcheck
mkdir -p "$work/tree/assets/po"
sh "$source/build-aux/texts" "$work/tree" >/dev/null 2>"$work/said"
complete=" ko "		# of other languages, what is missing is English
failed=0
for po in "$source"/assets/po/*.po; do
	msgfmt --check --output-file=/dev/null "$po" || failed=1
	language=$(basename "$po" .po)
	[ "${complete#* $language }" != "$complete" ] || continue
	if ! msgcmp --use-untranslated "$po" "$work/tree/assets/po/qkv.pot" 2>"$work/missing"; then
		echo "$po lacks texts (make texts adds them):"
		cat "$work/missing"
		failed=1
	fi
	msgattrib --untranslated "$po" >"$work/open"
	if [ -s "$work/open" ]; then
		echo "$po has texts without a translation:"
		cat "$work/open"
		failed=1
	fi
done
# Of a choice between two texts xgettext takes the first alone, unless each is marked.
if grep -nE '(state_say\([a-z]+, [a-z_]+|error_set\(e, E_[A-Z]+), [^"]*\? "' "$source"/core/*.c "$source"/core/io/*.c "$source"/tui/*.c; then
	echo "both texts of a choice want N_()"
	failed=1
fi
exit $failed
