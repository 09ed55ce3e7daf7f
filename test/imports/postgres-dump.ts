// Puts a plain dump of pg_dump into a database, as psql would: statements, and rows behind `COPY … FROM stdin`.
import { readFileSync } from 'node:fs'
import pg from 'pg'

const UNESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' }
const cell = (text: string): string | null =>
  text === '\\N' ? null : text.replace(/\\(.)/g, (_, sign: string) => UNESCAPED[sign] ?? sign)

export async function restoreDump(url: string, file: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    let statement = ''
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? ''
      const copied = /^COPY (\S+) \((.*)\) FROM stdin;$/.exec(line)
      if (copied) {
        const [, table = '', columns = ''] = copied
        for (at += 1; lines[at] !== '\\.'; at += 1) {
          const cells = (lines[at] ?? '').split('\t').map(cell)
          const places = cells.map((_, place) => `$${place + 1}`).join(', ')
          await client.query(`insert into ${table} (${columns}) values (${places})`, cells)
        }
        continue
      }
      // Words to psql itself, and remarks.
      if (line.startsWith('\\') || line.startsWith('--')) continue
      statement += `${line}\n`
      if (!line.endsWith(';')) continue
      await client.query(statement)
      statement = ''
    }
  } finally {
    await client.end()
  }
}
