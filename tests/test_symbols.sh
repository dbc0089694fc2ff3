#!/bin/sh
# test_symbols.sh - the direction of the house, read off what the archives leave
# undefined: no layer uses one above it, and none but libterm.a and the program's own files
# touches the terminal, the streams, the environment, the locale or the process.
# Surroundings: QKV_SOURCE, QKV_BUILD, NM.
set -eu
faults=0
fault() { echo "$*"; faults=$((faults + 1)); }

# "MEMBER SYMBOL" of what an archive leaves undefined; the checking variants of
# fortified builds (__printf_chk, __isoc99_sscanf) under their plain names.
undefined() {
	"${NM:-nm}" -A -u "$QKV_BUILD/$1" 2>/dev/null |
		sed -n 's/^.*:\([^:]*\): *U \([^@]*\).*$/\1 \2/p' |
		sed 's/ __\(.*\)_chk$/ \1/; s/ __isoc[0-9]*_/ /; s/^lib[a-z]*_a-//; s/64$//' | sort -u
}
defined() { "${NM:-nm}" -g --defined-only "$QKV_BUILD/$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u; }

streams='v?f?w?printf|v?dprintf|f?puts|f?putc|putchar|f?put[ws]c?|_IO_putc|perror|fwrite|fflush|v?f?scanf|f?getc|getchar|fgets|getline|getdelim|fread|fopen|fdopen|freopen|fclose|tmpfile|popen|stdin|stdout|stderr|open|openat|creat|read|write'
process='exit|_exit|_Exit|quick_exit|abort|atexit|system|exec[lv]p?e?|fork|vfork|kill|raise|signal|sigaction|setjmp|longjmp|siglongjmp'
surroundings='(secure_)?getenv|setenv|putenv|unsetenv|environ|setlocale|newlocale|uselocale|localeconv|isatty|ioctl|tc[gs]etattr|ttyname'
curses='stdscr|curscr|newscr|LINES|COLS|COLORS|initscr|newterm|endwin|delscreen|set_term|[a-z]*refresh|doupdate|(mv)?w?(add|ins|in|get)n?_?(w?ch|w?str|nstr|nwstr)n?|(mv)?v?w_?printw|w?(move|clear|erase|clrtoeol|clrtobot|bkgd|attrset|attron|attroff|attr_set|color_set|setscrreg)|newwin|delwin|newpad|initscr|start_color|init_(extended_)?(pair|color)|use_default_colors|curs_set|keypad|nodelay|cbreak|noecho|raw|beep|flash|mousemask|getmouse|resizeterm|setupterm|tiget(str|num|flag)|tparm|tputs|putp|termkey_.*'
libraries='yaml_.*|utf8proc_.*'

# deny ARCHIVE PATTERN WHAT [EXCEPTION]: no undefined symbol of ARCHIVE matches
# PATTERN. EXCEPTION matches "MEMBER SYMBOL" of those that may.
deny() {
	undefined "$1" | grep -vE "^(${4:-.^})$" | grep -E "^[^ ]* ($2)$" >"$found" || return 0
	while read -r member symbol; do
		fault "$1: $member uses $symbol ($3)"
	done <"$found"
}
# above ARCHIVE UPPER...: nothing that ARCHIVE lacks is defined in an UPPER only.
above() {
	lower=$1
	shift
	undefined "$lower" | awk '{ print $2 }' | sort -u >"$found"
	for upper; do
		for symbol in $(defined "$upper" | comm -12 - "$found"); do
			fault "$lower: uses $symbol of $upper"
		done
	done
}

found=$(mktemp)
trap 'rm -f "$found"' EXIT

# The instruments first: on the program itself they must see something.
[ -n "$(defined libcore.a)" ] && [ -n "$(undefined libcore.a)" ] || fault "nm shows nothing of libcore.a"

for archive in libcore.a libio.a libui.a; do
	# Files are opened in one place, tui/content.c.
	case $archive in
	libui.a) files='content\.o (fopen|fdopen|fclose|fread|fwrite|fflush|open|read|write|stdin)' ;;
	*) files= ;;
	esac
	deny $archive "$streams" streams "$files"
	deny $archive "$process" "the process"
	deny $archive "$surroundings" "its surroundings"
	deny $archive "$curses" "the terminal"
done
deny libcore.a "$libraries" "a library"
above libcore.a libio.a libassets.a libui.a libterm.a
above libio.a libassets.a libui.a libterm.a
above libui.a libterm.a

# What nm cannot see: headers of the terminal outside tui/term, of upper layers in lower ones.
headers() {
	grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$1" "$QKV_SOURCE/$2" --include='*.[ch]' >"$found" || return 0
	shift 2
	while read -r line; do
		for allowed in "$@"; do
			case $line in "$QKV_SOURCE/$allowed"*) continue 2 ;; esac
		done
		fault "include: ${line#"$QKV_SOURCE/"}"
	done <"$found"
}
# threads.c keeps the signals from its threads, for them to reach the one that tui/term waits in.
headers '<(n?curses(w/.*)?|term|termkey|termios|signal)\.h>' tui tui/term/ tui/threads.c
headers '<(n?curses(w/.*)?|term|termkey|termios|signal|locale|unistd)\.h>' core
headers '"(tui|tests|assets)/' core
headers '"tests/' tui

[ $faults -eq 0 ] || { echo "$faults faults"; exit 1; }
