namespace Smallbank.Grains;

/// <summary>The bank's constants, in cents.</summary>
public static class Rules
{
    /// <summary>What a bounced check costs.</summary>
    public const long OverdraftPenalty = 100;
}
