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
    const { version, license } = JSON.parse(readText(join(folder, 'package.json'))) as Record<string, unknown>
    const files = existsSync(folder) ? readdirSync(folder) : []
    const papers = files.filter((each) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(each)).sort()
    const text = papers.map((file) => readText(join(folder, file)).trim()).join('\n\n')
    if (!text && license !== 'MIT') throw new Error(`${name} has no licence file, so it may not be part of the bundle.`)
    return `${name} ${version}\n\n${text || toMitLicence(name)}\n`
  })
  return `The files of this folder and of ../remote contain code of these packages.\n\n${texts.join(`\n${'-'.repeat(72)}\n\n`)}`
}

/** The text of the MIT licence, for packages that name it and have no file of it. */
const toMitLicence = (name: string) => `MIT License

Copyright (c) the authors of ${name}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
