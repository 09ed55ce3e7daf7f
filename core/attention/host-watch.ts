// Watches the process: a shortage or a stall is logged when it begins and when it ends.
import type { ProcessHost, HostVitals } from '../ports/machine.ts'
import type { Logger } from '../ports/logger.ts'

/** Beyond this share of what there may be. */
const NEARLY_ALL = 0.85
/** Delay of the event loop that clients notice, in ms. */
const STALL_MS = 1000

export type HostTrouble = 'loop_stalls' | 'descriptors' | 'memory'

/** The current problems, with the figure that the message shows: a percentage, or ms. */
export type HostProblems = Partial<Record<HostTrouble, number>>

const SAID: Record<HostTrouble, { begins: string; over: string }> = {
  loop_stalls: {
    begins:
      'The process stood still: nobody was answered meanwhile. Something kept its processor busy, or it got none; start more processes, or give it a processor of its own',
    over: 'The process runs without standing still again',
  },
  descriptors: {
    begins:
      'File descriptors run out: soon no connection can be taken and no file opened. Raise the limit (LimitNOFILE of the service, ulimit -n)',
    over: 'There are file descriptors enough again',
  },
  memory: {
    begins:
      'Memory runs out: soon the process is ended by the system. Give it more (--max-old-space-size, or the bound of its container), or lower relay.max_body_megabytes',
    over: 'There is memory enough again',
  },
}

export function findHostProblems({ stalled_ms, descriptors, memory }: HostVitals): HostProblems {
  const share = (part: { of: number; most: number }) => Math.round((part.of / part.most) * 100)
  const open = descriptors && share({ of: descriptors.open, most: descriptors.most })
  const used = share({ of: memory.used, most: memory.most })
  return {
    ...(stalled_ms >= STALL_MS ? { loop_stalls: Math.round(stalled_ms) } : {}),
    ...(open !== null && open >= NEARLY_ALL * 100 ? { descriptors: open } : {}),
    ...(used >= NEARLY_ALL * 100 ? { memory: used } : {}),
  }
}

export interface HostWatch {
  look(): Promise<void>
  /** Returns the problems found by the last check. */
  troubles(): HostProblems
}

export function createHostWatch({ host, logger }: { host?: ProcessHost; logger: Logger }): HostWatch {
  let last: HostProblems = {}
  return {
    async look() {
      if (!host) return
      const vitals = await host.vitals()
      const now = findHostProblems(vitals)
      for (const [trouble, { begins, over }] of Object.entries(SAID) as [HostTrouble, (typeof SAID)[HostTrouble]][]) {
        if (now[trouble] !== undefined && last[trouble] === undefined) logger.warn(begins, figures(trouble, vitals))
        if (now[trouble] === undefined && last[trouble] !== undefined) logger.info(over, figures(trouble, vitals))
      }
      last = now
    },
    troubles: () => last,
  }
}

function figures(trouble: HostTrouble, { stalled_ms, descriptors, memory }: HostVitals): Record<string, number> {
  if (trouble === 'loop_stalls') return { stalled_ms: Math.round(stalled_ms) }
  return { ...(trouble === 'memory' ? memory : descriptors) }
}
