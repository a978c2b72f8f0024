import { overview } from '../persistence/overview.ts'
import type { ControlAction } from './control.ts'

/** Everything that a world holds, in short. */
const show: ControlAction = async (world, _, { worldId }) => {
  const { database, clock } = world
  const [organizations, projects, counts, { now, rate }] = [
    await overview.organizations(database),
    await overview.projects(database),
    await overview.counts(database),
    await clock.read(),
  ]
  return {
    worldId,
    clock: { now: new Date(now).toISOString(), rate },
    organizations: organizations.map(({ id, name }) => ({
      id,
      name,
      projects: projects
        .filter(({ orgId }) => orgId === id)
        .map((project) => ({ id: project.id, name: project.name, counts: counts.get(project.id) ?? {} })),
    })),
  }
}

/** What the control interface shows of a world as a whole. */
export const stateActions: Readonly<Record<string, ControlAction>> = { 'GET /state': show }
