package dev.millrace.app;

import dev.millrace.testing.Deployment;
import org.junit.jupiter.api.AutoClose;

/** The distribution, as its script starts it. */
final class DistributionIT implements DeploymentContract {
  @AutoClose
  private static final Deployment PROXY = DeploymentContract.start(Deployment.distribution());

  @Override
  public Deployment proxy() {
    return PROXY;
  }
}
