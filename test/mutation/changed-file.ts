// A file of the product that is changed while its tests run. Only a kill -9 leaves it changed.
import { readFileSync, writeFileSync } from 'node:fs'

const originals = new Map<string, string>()

process.on('exit', restoreFiles)

function restoreFiles(): void {
  for (const [file, text] of originals) writeFileSync(file, text)
  originals.clear()
}

/** Puts what `change` makes of the file's text into the file until `run` is through. */
export async function withChangedFile<Result>(
  file: string,
  change: (text: string) => string,
  run: () => Promise<Result>,
): Promise<Result> {
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  originals.set(file, text)
  try {
    writeFileSync(file, changed)
    return await run()
  } finally {
    restoreFiles()
  }
}
