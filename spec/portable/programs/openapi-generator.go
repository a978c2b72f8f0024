// Uses the Go client from openapi-generator.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	openapiclient "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func step(name string, run func() error) {
	if err := run(); err != nil {
		fmt.Printf("failed: %s: %.300s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
	} else {
		fmt.Printf("ok: %s\n", name)
	}
}

func main() {
	group := os.Getenv("SVC_GROUP_ID")
	configuration := openapiclient.NewConfiguration()
	configuration.Servers = openapiclient.ServerConfigurations{{URL: os.Getenv("SVC_BASE_URL")}}
	// By default, the generated client sends only application/json, which is the media type for errors.
	configuration.AddDefaultHeader("Accept", os.Getenv("SVC_MEDIA_TYPE"))
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("SVC_TOKEN"))
	client := openapiclient.NewAPIClient(configuration)
	configs := client.AlertConfigurationsAPI
	ctx := context.Background()

	step("list", func() error {
		page, _, err := configs.ListAlertConfigs(ctx, group).Execute()
		if err == nil && page.Results[0].Id == "" {
			return errors.New("no id")
		}
		return err
	})
	step("create and delete", func() error {
		email := openapiclient.NewEmailNotification("EMAIL")
		email.SetEmailAddress("oncall@lindgren.example")
		notification := openapiclient.Notification{EmailNotification: email}
		request := *openapiclient.NewAlertConfigRequest("HOST_DOWN", []openapiclient.Notification{notification})
		created, _, err := configs.CreateAlertConfig(ctx, group).AlertConfigRequest(request).Execute()
		if err != nil {
			return err
		}
		if created.Notifications[0].EmailNotification == nil {
			return errors.New("not an email notification")
		}
		_, err = configs.DeleteAlertConfig(ctx, group, created.Id).Execute()
		return err
	})
	step("snapshot", func() error {
		request := *openapiclient.NewSnapshotRequest()
		request.SetDescription("Before the release")
		request.SetRetentionInDays(7)
		taken, _, err := client.CloudBackupsAPI.TakeSnapshot(ctx, group, os.Getenv("SVC_CLUSTER")).SnapshotRequest(request).Execute()
		if err == nil && taken.Status == "" {
			return errors.New("no status")
		}
		return err
	})
	step("typed 404", func() error {
		_, response, err := client.AlertsAPI.GetAlert(ctx, group, os.Getenv("SVC_MISSING_ID")).Execute()
		var failure *openapiclient.GenericOpenAPIError
		if !errors.As(err, &failure) {
			return fmt.Errorf("no API error: %v", err)
		}
		if body, ok := failure.Model().(openapiclient.ApiError); !ok || response.StatusCode != 404 || body.ErrorCode != "RESOURCE_NOT_FOUND" {
			return fmt.Errorf("unexpected error %v", failure.Model())
		}
		return nil
	})
}
