# An image of Platen (docs/deployment.md):
#   docker build -t platen .
#   docker run --stop-timeout 45 --security-opt seccomp=deploy/seccomp.json -p 3000:3000 -v platen:/data platen
# Both stages start from the same Debian 12, which can be another copy of it, such as one of your own registry.
ARG BASE=docker.io/library/debian:bookworm-slim
ARG TARGETARCH

FROM ${BASE} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates npm \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Debian's Node is too old for npm to install every package, so that npm runs under the Node that package.json names.
# A proxy that opens TLS needs its certificate (--secret id=ca,src=FILE), and a registry of your own its settings (id=npmrc).
RUN --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
  export NODE_EXTRA_CA_CERTS=/run/secrets/ca \
  && node="node-linux-$(dpkg --print-architecture | sed s/amd64/x64/)" \
  && version="$(node -p "require('./package.json').optionalDependencies['$node']")" \
  && npm install --prefix /opt/node --cache /tmp/npm --no-audit --no-fund "$node@$version" \
  && ln -s "/opt/node/node_modules/$node/bin/node" /usr/local/bin/node \
  && node /usr/share/nodejs/npm/bin/npm-cli.js ci --cache /tmp/npm --no-audit --no-fund \
  && rm -rf /tmp/npm
COPY . .
RUN npm run build -- --standalone --out /app && rm -rf .next .platen

FROM ${BASE} AS run-amd64
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*

# The bundled Chromium is for amd64 only. The start finds Debian's, and says so.
FROM run-amd64 AS run-arm64
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell \
  && rm -rf /var/lib/apt/lists/*

FROM run-${TARGETARCH}
COPY --from=build /app /app
RUN groupadd --gid 1001 platen \
  && useradd --uid 1001 --gid platen --home-dir /data --shell /usr/sbin/nologin platen \
  && install -d -o platen -g platen -m 0700 /data \
  && ln -s /app/node_modules/node-linux-*/bin/node /usr/local/bin/node
WORKDIR /app
# All that a running server writes is in /data, so that the root can be read-only.
ENV HOME=/data \
  NODE_ENV=production \
  SERVICE_DATA_DIR=/data \
  SERVICE_DRAIN_DELAY_MS=5000
USER 1001:1001
VOLUME /data
EXPOSE 3000
# The process is alive. /readyz also depends on the database and the browsers, and a restart would help neither.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# A stop takes SERVICE_DRAIN_DELAY_MS, SERVICE_RENDER_TIMEOUT_MS and 5 s at most: allow 45 s (--stop-timeout, stop_grace_period).
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--"]
# That of `npm start`.
CMD ["node", "scripts/launch.mjs", "--liftoff-only", "--max-semi-space-size=4", "--heap-growing-percent=100", "scripts/start.ts"]
