import java.net.URI;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.Pair;
import org.openapitools.client.api.AlertConfigurationsApi;
import org.openapitools.client.api.AlertsApi;
import org.openapitools.client.api.CloudBackupsApi;
import org.openapitools.client.model.AlertConfig;
import org.openapitools.client.model.AlertConfigRequest;
import org.openapitools.client.model.ApiError;
import org.openapitools.client.model.EmailNotification;
import org.openapitools.client.model.Notification;
import org.openapitools.client.model.SnapshotRequest;

/** Uses the Java client of openapi-generator. */
public class Main {
    interface Step {
        void run() throws Exception;
    }

    static void step(String name, Step step) {
        try {
            step.run();
            System.out.println("ok: " + name);
        } catch (Exception | AssertionError error) {
            String text = String.valueOf(error).replace("\n", " ");
            System.out.println("failed: " + name + ": " + text.substring(0, Math.min(300, text.length())));
        }
    }

    static void check(boolean condition) {
        if (!condition) throw new AssertionError("unexpected result");
    }

    /** Uses the token only. The generated client throws for Digest, which it doesn't support. */
    static class TokenClient extends ApiClient {
        @Override
        public void updateParamsForAuth(String[] names, List<Pair> query, Map<String, String> headers,
            Map<String, String> cookies, String payload, String method, URI uri) throws ApiException {
            String[] token = {"serviceAccount"};
            super.updateParamsForAuth(token, query, headers, cookies, payload, method, uri);
        }
    }

    public static void main(String[] arguments) {
        String group = System.getenv("SVC_GROUP_ID");
        ApiClient client = new TokenClient();
        client.setBasePath(System.getenv("SVC_BASE_URL"));
        client.setAccessToken(System.getenv("SVC_TOKEN"));
        AlertConfigurationsApi configs = new AlertConfigurationsApi(client);
        step("list", () -> check(
            configs.listAlertConfigs(group, null, null, null, null, null).getResults().get(0).getId() != null));
        step("create and delete", () -> {
            EmailNotification email = new EmailNotification()
                .typeName(EmailNotification.TypeNameEnum.EMAIL)
                .emailAddress("oncall@lindgren.example");
            AlertConfigRequest request = new AlertConfigRequest()
                .eventTypeName("HOST_DOWN")
                .notifications(List.of(new Notification(email)));
            AlertConfig created = configs.createAlertConfig(group, request, null, null);
            Object notification = created.getNotifications().get(0).getActualInstance();
            check(notification instanceof EmailNotification);
            configs.deleteAlertConfig(group, created.getId(), null, null);
        });
        step("snapshot", () -> {
            SnapshotRequest request = new SnapshotRequest().description("Before the release").retentionInDays(7);
            check(new CloudBackupsApi(client)
                .takeSnapshot(group, System.getenv("SVC_CLUSTER"), request, null, null).getStatus() != null);
        });
        step("typed 404", () -> {
            try {
                new AlertsApi(client).getAlert(group, System.getenv("SVC_MISSING_ID"), null, null);
            } catch (ApiException error) {
                ApiError body = JSON.deserialize(error.getResponseBody(), ApiError.class);
                check(error.getCode() == 404 && body.getErrorCode().equals("RESOURCE_NOT_FOUND"));
                return;
            }
            throw new AssertionError("no error");
        });
        // The HTTP library's threads would keep the process running.
        System.exit(0);
    }
}
