// The machine that this process runs on.
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Machine } from '../ports/machine.ts'

export const createMachine = (folder: string, address: string): Machine => ({
  address,
  process: `${hostname()}#${process.pid}`,
  folder: `${hostname()}:${folder}`,
  async freeDisk() {
    try {
      const { bavail, blocks } = await statfs(folder)
      return blocks > 0 ? bavail / blocks : null
    } catch {
      // The file system does not report its size.
      return null
    }
  },
})
