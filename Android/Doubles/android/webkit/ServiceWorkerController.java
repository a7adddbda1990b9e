package android.webkit;

public class ServiceWorkerController {
  public static ServiceWorkerController getInstance() {
    return new ServiceWorkerController();
  }

  public void setServiceWorkerClient(ServiceWorkerClient client) {}
}
