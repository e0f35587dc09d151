package dev.millrace.app;

import dev.millrace.testing.Deployment;
import org.junit.jupiter.api.AutoClose;

/** jetty-home with the jetty-base of the build. */
final class JettyHomeIT implements DeploymentContract {
  @AutoClose
  private static final Deployment PROXY = DeploymentContract.start(Deployment.jettyHomeAndBase());

  @Override
  public Deployment proxy() {
    return PROXY;
  }
}
