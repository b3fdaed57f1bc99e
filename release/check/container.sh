#!/bin/sh
# Runs a program as `docker run --read-only` does, without an image: on a read-only file system, with what the system and
# the image have, and without rights where the caller is root. Run it by `unshare --mount`, with `--net` for no network:
#   container.sh <root, which has app/> <program of Node> <directory of the volume, or ''> <its place> <a tmpfs, or ''> \
#     <command…>
set -eu
root=$1 node=$2 volume=$3 place=$4 tmpfs=$5
shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
mkdir -p "$root/home/node" "$root/tmp" "$root/runtime" "$root$place"
for directory in bin dev etc lib lib64 proc usr; do
  if [ -L "/$directory" ]; then
    ln -sfn "$(readlink "/$directory")" "$root/$directory"
  elif [ -d "/$directory" ]; then
    mkdir -p "$root/$directory"
    mount --rbind "/$directory" "$root/$directory"
  fi
done
mount --bind "$(dirname "$node")" "$root/runtime"
for directory in / /etc /usr /runtime; do mount -o remount,bind,ro "$root$directory"; done
if [ -n "$volume" ]; then mount --bind "$volume" "$root$place"; fi
if [ -n "$tmpfs" ]; then mount -t tmpfs -o mode=1777 tmpfs "$root$tmpfs"; fi
# In a user namespace, root is the user outside.
if [ "$(awk '{ print $3 }' /proc/self/uid_map)" != 1 ]; then
  set -- setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"
fi
exec chroot "$root" /usr/bin/env -i PATH=/runtime:/usr/bin:/bin HOME=/home/node "$@"
