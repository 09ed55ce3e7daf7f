// Simulates a power failure: of a process's writes, only flushed ones survive. Linux with a C compiler.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What becomes of writes that were not flushed: none is kept, or of each all or nothing, by chance. */
export const POWER_CUTS = { none: 'c', some: 'r' } as const
export type PowerCut = keyof typeof POWER_CUTS

export interface Power {
  /** For the process that it is cut of. */
  env: Record<string, string>
  /** The process ends with it. */
  cut(kept: PowerCut): void
}

/** Is there a compiler to build the layer with? */
export function canCutPower(): boolean {
  if (process.platform !== 'linux') return false
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A layer under one process; `folder` is for its files. */
export function powerOf(folder: string, name: string): Power {
  const library = join(folder, 'power-cut.so')
  const told = join(folder, `power-${name}`)
  const source = fileURLToPath(new URL('power-cut.c', import.meta.url))
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread'])
  writeFileSync(told, '-')
  return {
    env: { LD_PRELOAD: library, POWER: told },
    cut: (kept) => writeFileSync(told, POWER_CUTS[kept], { flag: 'r+' }),
  }
}
