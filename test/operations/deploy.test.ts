// The files of examples/deploy: nothing runs as root or writes outside /data, probes use existing paths, and every
// variable that is named exists. `helm` renders the chart if it is installed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { configOptions, toFileVariable, SECRET_VARIABLE_NAMES } from '../../core/config.ts'
import type { Json } from '../support/json.ts'

const folder = fileURLToPath(new URL('../../examples/deploy/', import.meta.url))
const textOf = (name: string) => readFileSync(`${folder}${name}`, 'utf8')
const yaml = (name: string) => parse(textOf(name), { merge: true }) as Json

/** Whose user the image runs as. */
const NOBODY = 65532
/** Node's own, beside those that Weir declares. */
const known = new Set<string>([
  'NODE_ENV',
  ...Object.values(configOptions).map(({ env }) => env),
  ...SECRET_VARIABLE_NAMES,
  ...SECRET_VARIABLE_NAMES.map(toFileVariable),
])
const strangers = (names: readonly string[]) => names.filter((name) => !known.has(name))
const hidden = (names: readonly string[]) => names.filter((name) => SECRET_VARIABLE_NAMES.includes(name))

describe('the image', () => {
  const lines = textOf('Dockerfile').replace(/\\\n/g, ' ').split('\n')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  const after = (word: string) =>
    last.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

  it('is made in two stages, of Node 24, and runs as nobody in particular', () => {
    expect(lines.filter((line) => line.startsWith('FROM '))).toEqual([
      expect.stringMatching(/^FROM node:24-\S+ AS build$/),
      expect.stringMatching(/^FROM \S+:nonroot$/),
    ])
    expect(after('USER')).toEqual([`${NOBODY}:${NOBODY}`])
    expect(
      last.filter((line) => line.startsWith('RUN ')),
      'there is no shell in it',
    ).toEqual([])
  })

  it('names only variables that there are, holds no secret, and asks whether it lives', () => {
    const names = after('ENV').flatMap((line) => [...line.matchAll(/(\w+)=/g)].map(([, name = '']) => name))
    expect([names.length > 0, strangers(names), hidden(names)]).toEqual([true, [], []])
    expect(after('HEALTHCHECK').join()).toContain('/healthz')
    expect(after('ENTRYPOINT')).toEqual(['["/usr/local/bin/node", "/weir/bin/weir.js"]'])
  })

  it('is built of what `npm run build` reads, and of nothing that may hold data or secrets', () => {
    const taken = textOf('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => /^[^#]/.test(line))
    expect(taken[0]).toBe('*')
    const { include } = JSON.parse(readFileSync(`${folder}../../tsconfig.json`, 'utf8')) as { include: string[] }
    const files = ['package.json', 'package-lock.json', 'LICENSE', 'tsconfig.json']
    // The console is built by Vite, and the program in bin is as it is.
    expect(
      taken
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1))
        .sort(),
    ).toEqual([...files, 'bin', 'console', ...include.filter((each) => !each.includes('/'))].sort())
  })
})

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (name) => {
  const { services, secrets, volumes } = yaml(name)
  const gateways = Object.entries<Json>(services).filter(([, { image }]) => image === 'weir:latest')

  it.each(gateways)('%s is nobody, writes to /data alone and is given its secrets as files', (_, service) => {
    expect(service).toMatchObject({
      user: `${NOBODY}:${NOBODY}`,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '5m',
      build: { dockerfile: 'examples/deploy/Dockerfile', context: '../..' },
    })
    const variables = Object.entries<string>(service.environment)
    const names = variables.map(([variable]) => variable)
    expect([strangers(names), hidden(names)]).toEqual([[], []])
    const files = variables.filter(([variable]) => variable.endsWith('_FILE')).map(([, file]) => file)
    expect(files.sort()).toEqual([...service.secrets].map((secret: string) => `/run/secrets/${secret}`).sort())
    expect(service.volumes).toHaveLength(1)
    expect(service.volumes[0]).toMatch(/^[\w-]+:\/data$/)
  })

  it('declares every secret and volume that is used, and no two gateways share a folder', () => {
    const all = Object.values<Json>(services)
    const named = all.flatMap(({ volumes = [] }) => volumes as string[]).filter((one) => !one.startsWith('.'))
    const folders = named.map((one) => one.split(':')[0])
    expect(new Set(folders).size).toBe(folders.length)
    expect(Object.keys(volumes).sort()).toEqual([...folders].sort())
    expect(Object.keys(secrets).sort()).toEqual(
      [...new Set(all.flatMap((one) => (one.secrets ?? []) as string[]))].sort(),
    )
    expect(gateways.length).toBe(name === 'compose.yaml' ? 1 : 2)
  })
})

describe('the pages of proxies', () => {
  it('hold nothing back, wait, say who calls, and ask nothing twice', () => {
    const nginx = textOf('nginx.conf')
    for (const line of [
      'proxy_buffering off',
      'proxy_request_buffering off',
      'proxy_read_timeout 3600s',
      'client_max_body_size 0',
    ])
      expect(nginx).toContain(`${line};`)
    expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    expect(nginx).not.toMatch(/non_idempotent|proxy_add_x_forwarded_for/)
    const caddy = textOf('Caddyfile')
    for (const line of [
      'flush_interval -1',
      'response_header_timeout 3600s',
      'header_up X-Forwarded-For {remote_host}',
    ])
      expect(caddy).toContain(line)
    expect(caddy).toContain('health_uri /readyz')
  })
})

describe('the chart', () => {
  it('has one version with the package, and values for each thing that it asks for', () => {
    const { version } = JSON.parse(readFileSync(`${folder}../../package.json`, 'utf8')) as { version: string }
    expect(yaml('helm/weir/Chart.yaml')).toMatchObject({ appVersion: version, name: 'weir' })
    const values = yaml('helm/weir/values.yaml')
    const asked = ['statefulset', 'service', 'secret', 'poddisruptionbudget', 'horizontalpodautoscaler', 'ingress']
      .flatMap((name) => [...textOf(`helm/weir/templates/${name}.yaml`).matchAll(/\.Values\.([\w.]+)/g)])
      .map(([, path = '']) => path)
    const lost = asked.filter((path) => path.split('.').reduce<Json>((at, key) => at?.[key], values) === undefined)
    expect([asked.length > 20, lost]).toEqual([true, []])
    expect([strangers(Object.keys(values.env)), hidden(Object.keys(values.env))]).toEqual([[], []])
  })

  const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' })
  const render = (...set: string[]) =>
    helm('template', 'w', `${folder}helm/weir`, '--kube-version', '1.33.0', ...set.flatMap((one) => ['--set', one]))
  const own = ['secrets.databaseUrl=postgres://weir:x@db/weir', 'secrets.weirSecret=a secret of 16 or more']

  describe.runIf(helm('version').status === 0)('with helm', () => {
    it('is rendered: pods of nobody, probes, a budget, an autoscaler, secrets as files', () => {
      expect(helm('lint', '--strict', `${folder}helm/weir`, '--set', 'secrets.existingSecret=s').status).toBe(0)
      const { stdout, stderr } = render(...own, 'ingress.enabled=true', 'ingress.tlsSecret=t')
      expect(stderr).toBe('')
      const parts = parseAllDocuments(stdout).map((document) => document.toJS() as Json)
      const one = (kind: string) => parts.find((part) => part.kind === kind)
      expect(parts.map(({ kind }) => kind as string).sort()).toEqual(
        [
          'StatefulSet',
          'Service',
          'Service',
          'Secret',
          'PodDisruptionBudget',
          'HorizontalPodAutoscaler',
          'Ingress',
        ].sort(),
      )
      const { spec } = one('StatefulSet').spec.template
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: NOBODY, fsGroup: NOBODY })
      expect(spec.automountServiceAccountToken).toBe(false)
      const [weir] = spec.containers
      expect(weir.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(weir.startupProbe.httpGet.path).toBe('/healthz')
      expect(weir.livenessProbe.httpGet.path).toBe('/healthz')
      expect(weir.readinessProbe.httpGet.path).toBe('/readyz')
      const wait = Number(/(\d+)\)$/.exec(weir.lifecycle.preStop.exec.command.at(-1))?.[1])
      expect(wait).toBeGreaterThan(0)
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(300 + wait / 1000 - 1)
      const names = weir.env.map(({ name }: Json) => name as string)
      expect([strangers(names), hidden(names)]).toEqual([[], []])
      const places = Object.keys(one('Secret').stringData).map((key) => `/run/secrets/weir/${key}`)
      const files = weir.env
        .filter(({ name }: Json) => name.endsWith('_FILE'))
        .map(({ value }: Json) => value as string)
      expect(files.sort()).toEqual(places.sort())
      expect(one('HorizontalPodAutoscaler').spec.scaleTargetRef).toMatchObject({ kind: 'StatefulSet', name: 'w-weir' })
      const labels = one('StatefulSet').spec.template.metadata.labels
      for (const { spec } of [
        one('PodDisruptionBudget'),
        { spec: { selector: { matchLabels: one('Service').spec.selector } } },
      ])
        expect(labels).toMatchObject(spec.selector.matchLabels)
    })

    it('takes a secret that is there already, and asks for one where there is none', () => {
      const { stdout } = render('secrets.existingSecret=mine', 'autoscaling.enabled=false', 'replicas=3')
      expect(stdout).toContain('secretName: mine')
      expect(stdout).toContain('replicas: 3')
      expect(stdout).not.toMatch(/kind: (Secret|HorizontalPodAutoscaler|Ingress)/)
      expect(render().stderr).toContain('secrets.databaseUrl or secrets.existingSecret is needed')
    })
  })
})
