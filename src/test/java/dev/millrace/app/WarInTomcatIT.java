package dev.millrace.app;

import dev.millrace.testing.Deployment;
import org.junit.jupiter.api.AutoClose;

/** The WAR in Tomcat 11, with the connector that docs/deploy.md names. */
final class WarInTomcatIT implements DeploymentContract {
  @AutoClose private static final Deployment PROXY = DeploymentContract.start(Deployment.tomcat());

  @Override
  public Deployment proxy() {
    return PROXY;
  }
}
