// Fireworks over the page for some seconds: sparks on a canvas that ignores clicks and is removed afterwards.

interface Spark {
  x: number
  y: number
  dx: number
  dy: number
  hue: number
}

/** Time between two bursts, in ms. */
const APART = 350
const SPARKS = 48
/** Lifetime of a spark, in ms. */
const LIFE = 1100
/** Px per ms². */
const GRAVITY = 0.00025

export function startFireworks(forMs: number): void {
  const canvas = document.createElement('canvas')
  canvas.className = 'fireworks'
  canvas.setAttribute('aria-hidden', 'true')
  canvas.width = window.innerWidth
  canvas.height = window.innerHeight
  document.body.append(canvas)
  const pen = canvas.getContext('2d')
  const began = performance.now()
  const bursts: { at: number; sparks: Spark[] }[] = []
  const draw = (now: number) => {
    if (!pen || now - began > forMs) return canvas.remove()
    const last = bursts.at(-1)
    if (!last || now - last.at > APART) bursts.push({ at: now, sparks: burst(canvas) })
    pen.clearRect(0, 0, canvas.width, canvas.height)
    for (const { at, sparks } of bursts) {
      const age = now - at
      if (age > LIFE) continue
      pen.globalAlpha = 1 - age / LIFE
      for (const { x, y, dx, dy, hue } of sparks) {
        pen.fillStyle = `hsl(${hue} 90% 60%)`
        pen.fillRect(x + dx * age, y + dy * age + GRAVITY * age * age, 3, 3)
      }
    }
    requestAnimationFrame(draw)
  }
  requestAnimationFrame(draw)
}

function burst({ width, height }: HTMLCanvasElement): Spark[] {
  const [x, y, hue] = [width * (0.15 + 0.7 * Math.random()), height * (0.15 + 0.4 * Math.random()), 360 * Math.random()]
  return Array.from({ length: SPARKS }, (_, index) => {
    const angle = (2 * Math.PI * index) / SPARKS
    const speed = 0.08 + 0.16 * Math.random()
    return { x, y, dx: Math.cos(angle) * speed, dy: Math.sin(angle) * speed, hue: hue + 40 * Math.random() }
  })
}
