// Administration over the JSON API. Usage: WEIR_SERVER=http://… WEIR_ACCESS_TOKEN=… npx tsx examples/admin-script.ts
import process from 'node:process'

const server = process.env.WEIR_SERVER ?? 'http://127.0.0.1:3000'
const token = process.env.WEIR_ACCESS_TOKEN
if (!token) throw new Error('Set WEIR_ACCESS_TOKEN: make one with `weir call users.accessToken`.')

interface Envelope<T> {
  success: boolean
  message: string
  data: T
}

async function get<T>(path: string): Promise<T> {
  const reply = await fetch(server + path, { headers: { authorization: `Bearer ${token}` } })
  const { success, message, data } = (await reply.json()) as Envelope<T>
  if (!success) throw new Error(message)
  return data
}

interface ChannelRow {
  id: number
  name: string
  status: number
  used_quota: number
}

for (const channel of await get<ChannelRow[]>('/api/channel/?page_size=100')) {
  process.stdout.write(`${channel.id}\t${channel.name}\tstatus ${channel.status}\tused ${channel.used_quota}\n`)
}
