import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  /** Shown in place of the children once they fail to render. */
  failure: ReactNode;
  children: ReactNode;
}

/** Keeps a failure to render to its children. */
export class Boundary extends Component<BoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? this.props.failure : this.props.children;
  }
}
