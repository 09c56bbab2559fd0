# What the image does: variables become server.properties, the storage is formatted once, the
# broker replaces this shell.
set -e
defaults=$(mktemp -d)
mounted=$(mktemp -d)
: > "$defaults/server.properties"
cat > "$defaults/log4j2.yaml" <<'Y'
Configuration:
  Appenders: { Console: { name: STDOUT, PatternLayout: { pattern: "[%d] %p %m (%c)%n" } } }
  Loggers: { Root: { level: INFO, AppenderRef: [{ ref: STDOUT }] } }
Y
cp "$defaults/log4j2.yaml" "$defaults/tools-log4j2.yaml"
export CLUSTER_ID=${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}
# A broker that starts again is formatted already, which the image accepts too.
result=$(java -Xmx128m -cp '/opt/kafka/libs/*' kafka.docker.KafkaDockerWrapper setup \
  --default-configs-dir "$defaults" --mounted-configs-dir "$mounted" --final-configs-dir /opt/kafka/config 2>&1) ||
  echo "$result" | grep -i 'already formatted' || { echo "$result" && exit 1; }
exec java ${KAFKA_HEAP_OPTS:--Xms1G -Xmx1G} ${KAFKA_JVM_PERFORMANCE_OPTS:--server -XX:+UseG1GC -XX:MaxGCPauseMillis=20} -Djava.awt.headless=true \
  -Dlog4j2.configurationFile=/opt/kafka/config/log4j2.yaml -cp '/opt/kafka/libs/*' kafka.Kafka /opt/kafka/config/server.properties
