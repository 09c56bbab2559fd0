#!/bin/bash
# A Docker Engine of Debian 13 in mount, network and pid namespaces of its own. The machine's network, /run
# and process table are not touched; the end of one process ends the engine with all of its containers.
#   engine.sh prepare <folder>         makes the roots below <folder>, once: about 80 s and 1.5 GB
#   engine.sh up <folder>              starts dockerd; its socket is <folder>/run/docker.sock
#   engine.sh run <folder> <command>   runs a command in the engine's namespaces and root
#   engine.sh net <folder> <command>   runs a command of this machine in the engine's network
#                                      with DOCKER_HOST set
#   engine.sh down <folder>            ends it and waits until its storage is free
# Needs root, debootstrap, slirp4netns, and a mirror of Debian (DEBIAN_MIRROR).
set -euo pipefail
action=$1 here=$(realpath -m "$2")
shift 2
run=$here/run root=$here/engine
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# apt in a root. Its mounts are in a mount namespace, so none is left behind.
in_root() {
  local given=$1
  shift
  unshare --mount sh -c '
    mount --make-rprivate / && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev"
    cp /etc/resolv.conf "$1/etc/resolv.conf"; root=$1; shift
    exec env -i DEBIAN_FRONTEND=noninteractive PATH='$path' HOME=/root chroot "$root" "$@"' sh "$given" "$@"
}

prepare() {
  mkdir -p "$here/bases"
  for suite in bookworm trixie; do
    [ -e "$here/bases/$suite.done" ] && continue
    rm -rf "$here/bases/$suite"
    # It mounts /proc in its target, in a mount namespace of its own.
    unshare --mount --propagation private debootstrap --variant=minbase "$suite" "$here/bases/$suite" "$mirror" \
      > "$here/bases/$suite.log"
    touch "$here/bases/$suite.done"
  done
  [ -e "$here/engine.done" ] && return
  rm -rf "$root"
  cp -a "$here/bases/trixie" "$root"
  printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  in_root "$root" sh -c 'apt-get -q update && apt-get -qy install --no-install-recommends \
    docker.io docker-cli docker-compose docker-buildx iptables iproute2 procps ca-certificates curl git' > "$here/engine.log" 2>&1
  rm -rf "$root/var/lib/apt/lists"
  # A registry may be reached through a certificate authority that only this machine knows.
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  touch "$here/engine.done"
}

up() {
  if [ -e "$run/engine.pid" ] && kill -0 "$(cat "$run/engine.pid")" 2> /dev/null; then
    return # Kept by the run before.
  fi
  mkdir -p "$run" "$root$here" "$root/var/lib/docker"
  rm -f "$run/docker.sock"
  setsid unshare --mount --net --pid --fork --kill-child bash -c '
    set -e
    root=$1 here=$2
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs sysfs "$root/sys"
    mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/run"
    mount -t tmpfs tmpfs "$root/tmp"
    mount --bind "$here" "$root$here"
    ip link set lo up
    echo "nameserver 10.0.2.3" > "$root/etc/resolv.conf"
    # Not chroot: "docker exec" enters a container by its mount namespace, whose root must be this one.
    mkdir -p "$root/.old"; cd "$root"; pivot_root . .old; cd /; umount -l /.old
    exec env -i PATH='$path' HOME=/root dockerd --host "unix://$here/run/docker.sock" --data-root /var/lib/docker \
      --exec-root /run/docker --pidfile /run/docker.pid --cgroup-parent /hookline-containers
  ' sh "$root" "$here" > "$run/dockerd.log" 2>&1 < /dev/null &
  local outer=$! engine=''
  echo $outer > "$run/unshare.pid"
  for _ in $(seq 50); do engine=$(pgrep -P $outer || true); [ -n "$engine" ] && break; sleep 0.1; done
  echo "$engine" > "$run/engine.pid"
  sleep 0.5
  setsid slirp4netns --configure --mtu=1500 --disable-host-loopback "$engine" tap0 > "$run/slirp.log" 2>&1 < /dev/null &
  echo $! > "$run/slirp.pid"
  for _ in $(seq 150); do
    curl -sf --unix-socket "$run/docker.sock" http://engine/_ping > /dev/null && return
    sleep 0.2
  done
  tail -5 "$run/dockerd.log" >&2
  down
  exit 1
}

down() {
  [ -e "$run/engine.pid" ] || return 0
  kill -TERM "$(cat "$run/engine.pid")" 2> /dev/null || true
  for _ in $(seq 600); do kill -0 "$(cat "$run/unshare.pid")" 2> /dev/null || break; sleep 0.1; done
  kill -KILL "$(cat "$run/engine.pid")" "$(cat "$run/slirp.pid")" 2> /dev/null || true
  rm -f "$run"/*.pid "$run/docker.sock"
  # The cgroups of ended containers stay behind as empty folders.
  find /sys/fs/cgroup -depth -type d -path '*/hookline-containers*' -exec rmdir {} + 2> /dev/null || true
}

run() {
  local dir=$PWD
  case "$dir" in "$here"*) ;; *) dir=$here ;; esac
  exec nsenter -t "$(cat "$run/engine.pid")" --mount --net --pid --wdns="$dir" env -i TERM=dumb HOME=/root PATH=$path \
    DOCKER_HOST="unix://$run/docker.sock" "$@"
}

# Ryuk, which would end what a killed test left, needs an image of its own; the engine's end does the same.
net() {
  exec nsenter -t "$(cat "$run/engine.pid")" --net env DOCKER_HOST="unix://$run/docker.sock" TESTCONTAINERS_RYUK_DISABLED=true "$@"
}

case $action in
  prepare | up | down) $action ;;
  run | net) $action "$@" ;;
  *) sed -n 2,10p "$0" >&2; exit 2 ;;
esac
