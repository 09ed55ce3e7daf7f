// A machine whose disk is as full as a test says.
import type { HostMachine } from '../../core/ports/machine.ts'

export interface MemoryMachine extends HostMachine {
  /** From 0 to 1; null where the system does not tell. */
  free: number | null
}

export const createMemoryMachine = (): MemoryMachine => ({
  process: 'host#1',
  folder: 'host:/data',
  address: 'http://127.0.0.1:3000',
  free: 0.5,
  async freeDisk() {
    return this.free
  },
})
