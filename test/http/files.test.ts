// Files given as an address: left to providers that fetch them, fetched by the guarded client for those that do not.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const PNG = Buffer.from('iVBORw0KGgo=', 'base64')
const inlinePng = `data:image/png;base64,${PNG.toString('base64')}`
const OLLAMA = 4

describeWithGateway('files at an address', (weir) => {
  let site: Server
  let address: string
  const asked: string[] = []

  beforeAll(async () => {
    site = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      if (request.url === '/away') return void response.writeHead(302, { location: 'http://10.0.0.1/x.png' }).end()
      if (request.url === '/missing') return void response.writeHead(404).end()
      if (request.url === '/page') return void response.writeHead(200, { 'content-type': 'application/zip' }).end('PK')
      if (request.url === '/large') {
        return void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(21 * 1024 * 1024))
      }
      const type = request.url?.endsWith('.pdf') ? 'application/pdf' : 'image/png; charset=binary'
      response.writeHead(200, { 'content-type': type }).end(PNG)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    afterAll(() => site.close())
  })

  const picture = (url: string) => [
    { role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'low' } }] },
  ]
  const post = (ada: Caller, path: string, body: object) =>
    send('POST', `${weir.url}${path}`, {
      headers: { authorization: `Bearer ${ada.key}` },
      body: { model: weir.model, max_tokens: 9, ...body },
    })
  const sent = () => weir.upstream.requests.at(-1)!.json
  const open = async () => {
    asked.length = 0
    await weir.set('AllowedNetworks', ['127.0.0.0/8'])
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    return weir.addCaller({ quota: 1_000_000 })
  }

  it('go on as addresses where the provider fetches them, and nothing is downloaded to be counted', async () => {
    await weir.addChannel()
    const ada = await open()
    const messages = picture(`${address}/a.png`)
    await ada.chat({ messages })
    expect(sent().messages).toEqual(messages)
    expect(asked).toEqual([])
  })

  it('are sent as bytes to providers that fetch nothing, whatever the caller speaks', async () => {
    await weir.addChannel({ type: OLLAMA })
    const ada = await open()
    await ada.chat({ messages: picture(`${address}/a.png`) })
    expect(sent().messages[0].content).toEqual([{ type: 'image_url', image_url: { url: inlinePng, detail: 'low' } }])
    const source = { type: 'url', url: `${address}/b.png` }
    await post(ada, '/v1/messages', { messages: [{ role: 'user', content: [{ type: 'image', source }] }] })
    expect(sent().messages[0].content[0]).toEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') },
    })
    await post(ada, `/v1beta/models/${weir.model}:generateContent`, {
      contents: [{ role: 'user', parts: [{ fileData: { fileUri: `${address}/c.png`, mimeType: 'image/png' } }] }],
    })
    expect(JSON.stringify(sent().messages)).toContain(inlinePng)
    expect(asked).toEqual(['GET /a.png', 'GET /b.png', 'GET /c.png'])
  })

  it('that a format has no word for are sent as bytes instead of being lost', async () => {
    await weir.addChannel()
    const ada = await open()
    const source = { type: 'url', url: `${address}/paper.pdf` }
    const answer = await post(ada, '/v1/messages', {
      messages: [{ role: 'user', content: [{ type: 'document', source }] }],
    })
    expect(sent().messages[0].content[0].file.file_data).toBe(`data:application/pdf;base64,${PNG.toString('base64')}`)
    expect(answer.headers['x-weir-dropped']).toBeUndefined()
  })

  it('are refused clearly: not public, behind a redirect to a network of ours, too large, missing, of no known kind', async () => {
    await weir.addChannel({ type: OLLAMA })
    const ada = await open()
    const refused = async (url: string) => {
      const { status, json } = await ada.chat({ messages: picture(url) })
      return [status, json.error.code]
    }
    const no = [400, 'file_unreachable']
    for (const url of ['http://10.0.0.1/x.png', 'http://169.254.169.254/latest', 'http://[::1]/x.png']) {
      expect(await refused(url)).toEqual(no)
    }
    for (const path of ['/away', '/large', '/missing', '/page']) expect(await refused(`${address}${path}`)).toEqual(no)
    const many = Array.from({ length: 17 }, (_, index) => picture(`${address}/${index}.png`)[0]!)
    asked.length = 0
    expect((await ada.chat({ messages: many })).status).toBe(400)
    expect(asked).toEqual([])
    expect(weir.upstream.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(1_000_000)
  })

  it('are fetched through the worker where there is one', async () => {
    await weir.addChannel({ type: OLLAMA })
    const ada = await open()
    await weir.set('WorkerUrl', `${address}/worker.png`)
    await ada.chat({ messages: picture('https://pictures.example/a.png') })
    expect(sent().messages[0].content[0].image_url.url).toBe(inlinePng)
    expect(asked).toEqual(['POST /worker.png'])
    expect((await ada.chat({ messages: picture('http://pictures.example/a.png') })).status).toBe(400)
  })
})
