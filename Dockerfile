# syntax=docker/dockerfile:1

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/fourinarow ./cmd/fourinarow \
    && mkdir /out/data

# The binary is static, calls nobody over TLS and brings all it reads, so nothing else is in the image.
FROM scratch
LABEL org.opencontainers.image.title="fourinarow" \
      org.opencontainers.image.description="The game of four in a row over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /out/fourinarow /fourinarow
COPY --from=build /src/LICENSE /LICENSE
# A volume that is made from here has this owner; a mounted folder has to be writable for 10001.
COPY --from=build --chown=10001:10001 /out/data /data

USER 10001:10001
WORKDIR /data
VOLUME /data
ENV LISTEN_ADDR=0.0.0.0:8080 \
    DATABASE_URL=sqlite:///data/fourinarow.db \
    LOG_FORMAT=json
EXPOSE 8080
# 5 s for running requests to finish, then the process is gone; Docker waits 10.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["/fourinarow", "healthcheck"]
ENTRYPOINT ["/fourinarow"]
CMD ["serve"]
