using Polyjuice.Cli.Logs;

namespace Polyjuice.Cli.Tests.Logs;

public sealed class AzureLocationTests
{
    private const string Key = "c2VjcmV0";
    private const string Address = "https://orders.blob.core.windows.net/logs/eu/one";

    [Theory]
    [InlineData("https://a.blob.core.windows.net/c", true)]
    [InlineData("http://127.0.0.1:10000/account/c", true)]
    [InlineData("data", false)]
    [InlineData("/var/lib/https", false)]
    public void An_address_is_told_from_a_folder(string data, bool isAddress) =>
        Assert.Equal(isAddress, AzureLocation.IsOne(data));

    [Fact]
    public void Container_and_prefix_are_taken_from_the_address_and_nothing_is_to_be_created()
    {
        var options = AzureLocation.Parse(Address, Given((AzureLocation.Token, "t")));
        Assert.Equal(("logs", "eu/one", false), (options.ContainerName, options.KeyPrefix, options.CreateContainer));
        Assert.Equal("https://orders.blob.core.windows.net/", options.ServiceUri!.ToString());
        Assert.NotNull(options.Credential);
    }

    [Fact]
    public void A_signature_comes_with_the_address_or_from_the_environment()
    {
        var inAddress = AzureLocation.Parse(Address + "?sv=1&sig=s", Given((AzureLocation.Token, "t")));
        Assert.Contains("sig=s", inAddress.ServiceUri!.Query, StringComparison.Ordinal);
        Assert.Null(inAddress.Credential);
        Assert.Equal(
            "?sv=2&sig=e",
            AzureLocation.Parse(Address, Given((AzureLocation.Signature, "?sv=2&sig=e"))).ServiceUri!.Query);
    }

    [Fact]
    public void A_connection_string_must_be_of_the_account_that_is_named()
    {
        Assert.Equal(
            Connection("orders"),
            AzureLocation.Parse(
                Address, Given((AzureLocation.ConnectionString, Connection("orders")))).ConnectionString);
        var exception = Assert.Throws<ArgumentException>(
            () => AzureLocation.Parse(Address, Given((AzureLocation.ConnectionString, Connection("others")))));
        Assert.Contains("is of https://others.blob.core.windows.net", exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Key, exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(
            Key,
            Assert.Throws<ArgumentException>(
                () => AzureLocation.Parse(Address, Given((AzureLocation.ConnectionString, $"nonsense {Key}")))).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_container_or_anybody_who_asks_it_is_said_what_to_do()
    {
        using var tool = new Tool();
        Assert.Contains(
            "names no container",
            Assert.Throws<ArgumentException>(
                () => AzureLocation.Parse("https://orders.blob.core.windows.net", Given())).Message,
            StringComparison.Ordinal);
        var answer = await tool.RunAsync("log", "verify", "--data", "https://orders.blob.core.windows.net/logs");
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        foreach (var name in new[]
        {
            AzureLocation.ConnectionString, AzureLocation.Signature, AzureLocation.Token,
            "az account get-access-token"
        })
            Assert.Contains(name, answer.Error, StringComparison.Ordinal);
    }

    private static string Connection(string account) =>
        $"DefaultEndpointsProtocol=https;AccountName={account};AccountKey={Key};EndpointSuffix=core.windows.net";

    private static Func<string, string?> Given(params (string Name, string Value)[] variables) =>
        name => variables.FirstOrDefault(variable => variable.Name == name).Value;
}
