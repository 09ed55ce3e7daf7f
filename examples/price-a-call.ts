// Computes the cost of a call with the built-in prices and the function that charges calls.
import { charge, defaultSettings, findPrice } from 'weir-gateway'

const settings = defaultSettings()
const model = process.argv[2] ?? 'gpt-4o'
const price = findPrice(model, settings, false)
if (!price) throw new Error(`${model} has no price`)

const usage = { input: 1_000, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 500, reasoning: 0 }
const { quota, lines } = charge(price, 1, { ...usage, source: 'reported' }, settings.QuotaPerUnit)

for (const line of lines) process.stdout.write(`${line.what}: ${line.count} × ${line.price} = ${line.quota} quota\n`)
process.stdout.write(`${model}: ${quota} quota = $${(quota / settings.QuotaPerUnit).toFixed(6)}\n`)
