namespace SiloHosting.Settings;

/// <summary>
/// Whether there is a trainer in the silos themselves: in the configuration's section <c>Trainer</c>, beside
/// <c>SiloTrainerOptions</c>, which say how. The same on all silos.
/// </summary>
public sealed class TrainerSettings
{
    /// <summary>The section's name.</summary>
    public const string Section = "Trainer";

    /// <summary>
    /// Whether one of the silos trains tables for all of them. Default no: a trainer beside the silos does not take
    /// their processors.
    /// </summary>
    public bool Enabled { get; set; }
}
