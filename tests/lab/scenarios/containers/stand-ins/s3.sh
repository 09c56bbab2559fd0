# The identity of SeaweedFS's configuration, served by S3Proxy. The folder "status" answers the health
# check of the compose file.
set -e
secret=$(sed -E 's/.*"secretKey":"([^"]+)".*/\1/' /run/hookline/config.json)
mkdir -p /data/objects/status /tmp/s3
chmod 755 /data/objects/status
cat > /tmp/s3/properties <<P
s3proxy.endpoint=http://0.0.0.0:8333
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=hookline
s3proxy.credential=$secret
jclouds.provider=filesystem-nio2
jclouds.identity=unused
jclouds.credential=unused
jclouds.filesystem.basedir=/data/objects
P
echo '<configuration><root level="WARN"/></configuration>' > /tmp/s3/logback.xml
exec java -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dlogback.configurationFile=/tmp/s3/logback.xml -cp '/opt/s3proxy/*' org.gaul.s3proxy.Main --properties /tmp/s3/properties
