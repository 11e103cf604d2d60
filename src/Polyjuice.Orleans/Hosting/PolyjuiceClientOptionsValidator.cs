using Microsoft.Extensions.Options;
using Orleans;
using Orleans.Configuration;

namespace Polyjuice.Orleans.Hosting;

/// <summary>Refuses, when a client starts and by name, what could not work.</summary>
internal sealed class PolyjuiceClientOptionsValidator(
    IOptions<PolyjuiceClientOptions> options) : IConfigurationValidator
{
    /// <inheritdoc/>
    public void ValidateConfiguration() => OptionRanges.Check(options.Value);
}
