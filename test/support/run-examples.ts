// Runs examples one after the other in this process, as a reader runs each: the list of them is JSON in EXAMPLES. Examples that
// serve go on together. What they share is loaded once, which takes longer than any of them.
import process from 'node:process'
import type { Example } from './example.ts'

const PORT = /"port":(\d+)/
const written: string[] = []
const write = process.stdout.write.bind(process.stdout) as (text: string) => boolean
process.stdout.write = ((text: string) => {
  written.push(text)
  return write(text)
}) as typeof process.stdout.write

let port = ''
for (const { path, args = [], env = {}, cwd, serves } of JSON.parse(process.env['EXAMPLES'] ?? '[]') as Example[]) {
  for (const [name, value] of Object.entries(env)) process.env[name] = value.replace('$PORT', port)
  if (cwd !== undefined) process.chdir(cwd)
  process.argv = [process.argv[0] ?? '', path, ...args]
  written.length = 0
  await import(path)
  // An example reports its port once it listens.
  while (serves && !PORT.test(written.join(''))) await new Promise((resolve) => setTimeout(resolve, 5))
  port = PORT.exec(written.join(''))?.[1] ?? ''
}
