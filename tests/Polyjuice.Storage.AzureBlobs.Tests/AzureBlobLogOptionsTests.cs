using System.ComponentModel.DataAnnotations;
using Azure.Core;
using Azure.Storage.Blobs;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs.Tests;

public sealed class AzureBlobLogOptionsTests
{
    private const string Endpoint = "https://account.blob.core.windows.net";

    public static TheoryData<string, Action<AzureBlobLogOptions>> Wrong => new()
    {
        { "ConnectionString", o => o.ConnectionString = null },
        { "ConnectionString", o => o.ConnectionString = " " },
        { "only one of", o => o.ServiceUri = new Uri(Endpoint + "?sig=1") },
        { "only one of", o => o.CreateClient = c => new BlobServiceClient(new Uri(Endpoint), c) },
        { "only one of", o => o.ServiceClient = new BlobServiceClient(new Uri(Endpoint)) },
        { "Credential", o => o.Credential = new NoCredential() },
        { "ServiceUri", o => Uri(o, new Uri("account", UriKind.Relative)) },
        { "ServiceUri", o => Uri(o, new Uri("ftp://account")) },
        { "Credential is not set", o => Uri(o, new Uri(Endpoint)) },
        { "https: only", o => Uri(o, new Uri("http://account"), new NoCredential()) },
        { "use one of them", o => Uri(o, new Uri(Endpoint + "?sig=1"), new NoCredential()) },
        { "ContainerName", o => o.ContainerName = "" },
        { "ContainerName", o => o.ContainerName = "ab" },
        { "ContainerName", o => o.ContainerName = "Logs" },
        { "ContainerName", o => o.ContainerName = "a--b" },
        { "ContainerName", o => o.ContainerName = new string('a', 64) },
        { "KeyPrefix", o => o.KeyPrefix = "/a" },
        { "KeyPrefix", o => o.KeyPrefix = "a//b" },
        { "KeyPrefix", o => o.KeyPrefix = "a/../b" },
        { "KeyPrefix", o => o.KeyPrefix = "a b" },
        { "LeaseDuration", o => o.LeaseDuration = TimeSpan.FromSeconds(14) },
        { "LeaseDuration", o => o.LeaseDuration = TimeSpan.FromSeconds(61) },
        { "LockWait", o => o.LockWait = TimeSpan.FromSeconds(-1) },
        { "RequestTimeout", o => o.RequestTimeout = TimeSpan.Zero },
        { "RetriesMax is 21:", o => o.RetriesMax = 21 },
        { "RetryDelay", o => o.RetryDelay = TimeSpan.Zero },
        { "RetryDelayMax", o => o.RetryDelayMax = TimeSpan.FromMilliseconds(99) },
        { "NewPartitions", o => o.NewPartitions = 0 },
        { "SegmentBytes", o => o.SegmentBytes = 1 },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public async Task What_could_not_work_is_refused_by_the_options_name(
        string expected, Action<AzureBlobLogOptions> spoil)
    {
        var options = Right();
        spoil(options);
        var result = new AzureBlobLogOptionsValidator().Validate("orders", options);
        Assert.True(result.Failed);
        Assert.Contains(
            result.Failures!,
            failure => failure.Contains(expected, StringComparison.Ordinal)
                && failure.Contains("'orders'", StringComparison.Ordinal));
        var exception = await Assert.ThrowsAsync<ValidationException>(
            () => AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_can_work_is_taken()
    {
        var several = new[] { Right(), Right(), Right(), Right(), Right() };
        (several[4].ConnectionString, several[4].ServiceClient) = (null, new BlobServiceClient(new Uri(Endpoint)));
        Uri(several[1], new Uri(Endpoint), new NoCredential());
        Uri(several[2], new Uri(Endpoint + "?sig=1"));
        several[3].KeyPrefix = "clusters/a-1_x=2.0/";
        several[3].LockWait = TimeSpan.Zero;
        Assert.All(several, options => Assert.True(new AzureBlobLogOptionsValidator().Validate("", options).Succeeded));
    }

    [Fact]
    public async Task A_connection_string_that_can_not_be_read_is_not_shown()
    {
        var options = Right();
        options.ConnectionString = "AccountKey=topsecret;Nonsense";
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(
            () => AzureBlobLogStore.OpenAsync(options, NullLogger.Instance, default));
        Assert.Contains("ConnectionString", exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("topsecret", exception.ToString(), StringComparison.Ordinal);
    }

    private static AzureBlobLogOptions Right() =>
        new() { ConnectionString = "DefaultEndpointsProtocol=https;AccountName=account;AccountKey=c2VjcmV0" };

    private static void Uri(AzureBlobLogOptions options, Uri uri, TokenCredential? credential = null)
    {
        options.ConnectionString = null;
        options.ServiceUri = uri;
        options.Credential = credential;
    }

    private sealed class NoCredential : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public override ValueTask<AccessToken> GetTokenAsync(
            TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}
