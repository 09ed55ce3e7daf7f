// Requests a picture and a film, waits for both, and writes them to files.
//   WEIR_URL=http://127.0.0.1:3000 WEIR_KEY=sk-… npx tsx examples/picture-and-film.ts "a weir at dawn"
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const { WEIR_URL = 'http://127.0.0.1:3000', WEIR_KEY = '', FILM_MODEL = 'sandbox-film' } = process.env
const prompt = process.argv[2] ?? 'a weir at dawn'

async function weir(method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${WEIR_KEY}`, 'content-type': 'application/json' }
  const response = await fetch(WEIR_URL + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

interface Drawing {
  status: string
  progress: string
  imageUrl: string
  failReason: string
}

/** Creates a picture with the API of a Midjourney proxy: submits it, then polls until it has ended. */
async function picture(): Promise<void> {
  const { result } = (await (await weir('POST', '/mj/submit/imagine', { prompt })).json()) as { result: string }
  for (;;) {
    const drawing = (await (await weir('GET', `/mj/task/${result}/fetch`)).json()) as Drawing
    process.stdout.write(`picture: ${drawing.status} ${drawing.progress}\n`)
    if (drawing.status === 'FAILURE') throw new Error(drawing.failReason)
    if (drawing.status === 'SUCCESS') {
      const image = await fetch(new URL(drawing.imageUrl, WEIR_URL))
      await writeFile('picture.bmp', new Uint8Array(await image.arrayBuffer()))
      return void process.stdout.write('picture.bmp is written\n')
    }
    await sleep(2_000)
  }
}

interface Film {
  id: string
  status: string
  progress: number
  error: { message: string } | null
}

/** Creates a film with the API of OpenAI's videos, which serves all vendors. */
async function film(): Promise<void> {
  const request = { model: FILM_MODEL, prompt, seconds: '4' }
  let video = (await (await weir('POST', '/v1/videos', request)).json()) as Film
  while (video.status === 'queued' || video.status === 'in_progress') {
    await sleep(2_000)
    video = (await (await weir('GET', `/v1/videos/${video.id}`)).json()) as Film
    process.stdout.write(`film: ${video.status} ${video.progress} %\n`)
  }
  if (video.status === 'failed') throw new Error(video.error?.message)
  const content = await weir('GET', `/v1/videos/${video.id}/content`)
  await writeFile('film.mp4', new Uint8Array(await content.arrayBuffer()))
  process.stdout.write('film.mp4 is written\n')
}

await Promise.all([picture(), film()])
