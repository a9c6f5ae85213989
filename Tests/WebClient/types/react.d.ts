// The parts of React that the hook uses. The packages of Debian contain no types of React.

declare module "react" {
  type Setter<T> = (change: T | ((before: T) => T)) => void;
  export function useState<T>(initial: T): [T, Setter<T>];
  export function useRef<T>(initial: T): { current: T };
  export function useEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
  export function useLayoutEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
  export function useCallback<T>(callback: T, inputs: unknown[]): T;
}
