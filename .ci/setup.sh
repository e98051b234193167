# What ./demo and ./check share: talking, timing, Debian packages, building. Sourced from the root of
# the checkout by bash with `set -euo pipefail`.
# shellcheck shell=bash

# Everything that is made stays inside the checkout: builds, caches, the temporary files of tests.
mkdir -p build/tmp
export TMPDIR="$PWD/build/tmp"
export CCACHE_DIR="${CCACHE_DIR:-$PWD/.cache/ccache}"

say() { printf '\n==> %s\n' "$*"; }
complain() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# The packages of these groups of cmake/packages.txt that are not installed.
missing_packages() {
  local group package
  while read -r group package; do
    [[ " $* " == *" $group "* ]] || continue
    # A program of that name may come from elsewhere: npm with a newer nodejs, which Debian's refuses.
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      command -v "$package" >/dev/null || echo "$package"
  done <cmake/packages.txt
}

# Asks before sudo, but only someone who can answer.
may_use_sudo() {
  [[ -n ${CI:-} || ! -t 0 || ! -t 1 ]] && return 0
  local answer
  read -r -p "Install them with sudo apt-get? [Y/n] " answer
  [[ ! $answer =~ ^[nN] ]]
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: taking for granted what cmake/packages.txt lists."
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then
    echo "All packages are there."
    return 0
  fi
  echo "Missing: ${missing[*]}"
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || ! may_use_sudo; then
      complain "please run as root: apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# build PRESET [TARGET...]; configuring again is quick and notices a changed preset.
build() {
  local preset=$1
  shift
  local log="build/configure-$preset.log"
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
