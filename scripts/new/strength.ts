export const strengths = ['stated', 'decided', 'open'] as const
export type Strength = (typeof strengths)[number]
