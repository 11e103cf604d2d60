using Orleans;

namespace SmallbankSilo.Grains;

/// <summary>The bank's state.</summary>
[GenerateSerializer]
public sealed class BankState
{
    /// <summary>As it was begun; <see langword="null"/> before that.</summary>
    [Id(0)]
    public BankTerms? Terms { get; set; }

    /// <summary>How many accounts are open.</summary>
    [Id(1)]
    public int Opened { get; set; }
}
