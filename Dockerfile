# Leadline with its embedded database; everything that it keeps is in /data.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
# The build must be newer than the lock file, which npm prune writes: it would be built again, without Vite.
RUN npm ci && npm run build && npm prune --omit=dev && touch apps/web/dist/index.html

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# As in npm start, to return memory (docs/decisions/0111-memory-of-the-server.md).
ENV MALLOC_MMAP_THRESHOLD_=1000000
VOLUME /data
EXPOSE 3000
# SIGTERM ends running requests and live calls first.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "apps/server/src/main.ts"]
