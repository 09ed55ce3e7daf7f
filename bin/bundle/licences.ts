// The licences of the packages whose code is part of the bundle.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

interface BundledChunk {
  moduleIds: readonly string[]
}

const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//

/**
 * Collects the licence of each package that has a module in the chunks, one after the other.
 * @throws Error if a package has no licence file
 */
export function collectLicences(chunks: readonly BundledChunk[], readText: (file: string) => string): string {
  const packages = new Map<string, string>()
  for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) {
    const [, folder, name] = PACKAGE.exec(id.replaceAll('\\', '/')) ?? []
    if (folder && name) packages.set(name, folder)
  }
  const texts = [...packages].sort().map(([name, folder]) => {
    const file = existsSync(folder) ? readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each)) : undefined
    if (file === undefined) throw new Error(`${name} has no licence file, so it may not be part of the bundle.`)
    const { version } = JSON.parse(readText(join(folder, 'package.json'))) as { version: string }
    return `${name} ${version}\n\n${readText(join(folder, file)).trim()}\n`
  })
  return `The files of this folder contain code of these packages.\n\n${texts.join(`\n${'-'.repeat(72)}\n\n`)}`
}
