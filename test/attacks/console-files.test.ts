// The console's files are known when the server starts: no path reveals anything about the host.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createConnection, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveConsoleFiles } from '../../http/console.ts'

const place = mkdtempSync(join(tmpdir(), 'weir-console-'))
const root = join(place, 'console')
let server: Server
const HOSTILE = { name: '</script><script>alert(1)</script>' }
const status = { read: async (): Promise<unknown> => HOSTILE }

beforeAll(async () => {
  mkdirSync(join(root, 'assets'), { recursive: true })
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><base href="/"><script id="status" type="application/json"></script><p>the page</p>',
  )
  writeFileSync(join(root, 'assets/app-aB3_dE5-.js'), 'the script')
  writeFileSync(join(root, 'assets/packed-aB3_dE5-.js'), 'plain')
  writeFileSync(join(root, 'assets/packed-aB3_dE5-.js.br'), brotliCompressSync('plain'))
  writeFileSync(join(place, 'secret.txt'), 'a secret of the host')
  for (const [link, to] of [
    ['link.txt', join(place, 'secret.txt')],
    ['gone.txt', join(place, 'nothing.txt')],
    ['assets/up', '..'],
    ['outside', place],
  ] as const) {
    symlinkSync(to, join(root, link))
  }
  const app = new Koa()
  app.use(serveConsoleFiles('/weir/', () => status.read(), root))
  server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
  rmSync(place, { recursive: true })
})

/** The path as it is, which no client would send. */
function answer(path: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const { port } = server.address() as AddressInfo
    const socket = createConnection(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 'latin1'),
    )
    socket.on('data', (data) => (text += data.toString('latin1')))
    socket.on('close', () => resolve(text.replace(/^date: .*\r\n/im, '')))
  })
}

/** Ways to write a path to something outside of the folder. */
const WAYS: Record<string, (target: string) => string> = {
  plain: (target) => target,
  dotted: (target) => `/..${target}`,
  'far up': (target) => `/assets${'/..'.repeat(12)}${target}`,
  'dots encoded': (target) => `/%2e%2e${target}`,
  'slashes encoded': (target) => `/..${target.replaceAll('/', '%2f')}`,
  'encoded twice': (target) => `/%252e%252e${target.replaceAll('/', '%252f')}`,
  'too long an encoding': (target) => `/%c0%ae%c0%ae${target}`,
  'an encoding that ends early': (target) => `/%${target}%`,
  backslashes: (target) => `/..${target.replaceAll('/', '\\')}`,
  'backslashes encoded': (target) => `/..${target.replaceAll('/', '%5c')}`,
  absolute: (target) => `/${target}`,
  NUL: (target) => `${target}%00.js`,
  'NUL in front': (target) => `/%00${target}`,
  'another stream': (target) => `${target}::$DATA`,
  'a blank behind': (target) => `${target}%20`,
  'a query': (target) => `${target}?raw`,
  semicolon: (target) => `/..;${target}`,
  'through a link': (target) => `/outside${target}`,
  'through a link of assets': (target) => `/assets/up/..${target}`,
  address: (target) => `file://${target}`,
}

describe('a path', () => {
  it.each(Object.keys(WAYS))('%s says nothing of what there is', async (way) => {
    for (const [there, absent] of [
      [place, `${place.slice(0, -3)}abc`],
      [`${place}/secret.txt`, `${place}/absent.txt`],
      [`${root}/index.html`, `${root}/absent.html`],
      ['/etc/passwd', '/etc/passwx'],
      ['/link.txt', '/absent.txt'],
      ['/gone.txt', '/absent.txt'],
      ['/outside', '/absent1'],
      ['/assets/up', '/assets/no'],
    ] as const) {
      const [one, two] = [await answer(WAYS[way]!(there)), await answer(WAYS[way]!(absent))]
      expect(one, there).toBe(two)
      expect(one).not.toContain('a secret')
    }
  })

  it('that is in the list, and only as it is written there, gives the file', async () => {
    const script = await answer('/assets/app-aB3_dE5-.js')
    expect(script).toMatch(
      /^HTTP\/1\.1 200 .*content-type: text\/javascript.*max-age=31536000,immutable.*the script$/is,
    )
    for (const odd of [
      '/assets//app-aB3_dE5-.js',
      '/assets/./app-aB3_dE5-.js',
      '/assets/%61pp-aB3_dE5-.js',
      '/ASSETS/app-aB3_dE5-.js',
    ]) {
      expect(await answer(odd), odd).toMatch(/^HTTP\/1\.1 404 /)
    }
    for (const path of ['/', '/index.html', '/log', '/pricing/gpt-4.1']) {
      expect(await answer(path), path).toMatch(/^HTTP\/1\.1 200 .*<base href="\/weir\/">.*<p>the page/s)
    }
  })

  it('of a file that came or went after the start is what it was', async () => {
    writeFileSync(join(root, 'assets/new.js'), 'new')
    rmSync(join(root, 'assets/app-aB3_dE5-.js'))
    expect(await answer('/assets/new.js')).toMatch(/^HTTP\/1\.1 404 /)
    expect(await answer('/assets/app-aB3_dE5-.js')).toMatch(/the script$/)
  })
})

it('sends what the build has packed to those who take it so, and the plain file to all others', async () => {
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/assets/packed-aB3_dE5-.js`
  for (const [wish, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', null],
    ['identity', null],
  ] as const) {
    const reply = await fetch(url, { headers: { 'accept-encoding': wish } })
    expect([reply.headers.get('content-encoding'), reply.headers.get('vary')]).toEqual([encoding, 'Accept-Encoding'])
    expect(await reply.text()).toBe('plain')
    expect(reply.headers.get('content-type')).toMatch(/javascript/)
  }
  expect((await fetch(`${url}.br`)).status).toBe(404)
})

describe('the page', () => {
  const open = async () => {
    const { port } = server.address() as AddressInfo
    const reply = await fetch(`http://127.0.0.1:${port}/`)
    const [, data = ''] =
      /<script id="status" type="application\/json">(.*?)<\/script>/.exec(await reply.clone().text()) ?? []
    return { text: await reply.text(), data, headers: reply.headers }
  }

  it('carries the public status as data that no text of it can end, and is never kept without asking', async () => {
    const { text, data, headers } = await open()
    expect(JSON.parse(data)).toEqual(HOSTILE)
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  it('changes with the status, and with nothing else', async () => {
    const tags = [await open(), await open()].map(({ headers }) => headers.get('etag'))
    expect(tags[0]).toBe(tags[1])
    status.read = async () => ({ name: 'another' })
    const changed = await open()
    expect(JSON.parse(changed.data)).toEqual({ name: 'another' })
    expect(changed.headers.get('etag')).not.toBe(tags[0])
  })

  it('comes without a status that cannot be read', async () => {
    status.read = async () => Promise.reject(new Error('the database is away'))
    const { text, data } = await open()
    expect(JSON.parse(data)).toBeNull()
    expect(text).toContain('the page')
  })
})
